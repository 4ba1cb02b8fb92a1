import Consent
import Foundation
import Identifiers
import Ledger
import PostgresClient
import PostgresServer
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

/// What is written while connections are cut has its effect once.
@Suite struct LostConnectionTests {
    @Test(
        "every record that was acknowledged is stored once, wherever the connection is cut",
        arguments: [
            CuttingProxy.Cut.everyCommitAnswer(3), .everyCommitAnswer(2), .everyCommit(3), .everyAnswer(41),
            .everyAnswer(97),
        ])
    func records(_ cut: CuttingProxy.Cut) async throws {
        try await withProxy { proxy, ports in
            proxy.cut(cut)
            var acknowledged: [ConsentRecordID] = []
            for number in 0..<30 {
                let person = try RecipientID("person-\(number)@example.com")
                acknowledged.append(try await ports.record(.given, for: person).id)
            }
            proxy.cut(nil)
            #expect(proxy.cuts > 0)
            for number in 0..<30 {
                let person = try RecipientID("person-\(number)@example.com")
                let history = try await ports.consents.history(of: person, in: ports.acme)
                #expect(history.map(\.id) == [acknowledged[number]])
            }
            let head = try await ports.ledgers.head(of: ports.acme)
            // The first entry is that of the enforcement.
            #expect(head?.head.size == 31)
            let entries = try await ports.ledgers.entries(from: 0, count: 100, in: ports.acme)
            #expect(entries.count == 31)
        }
    }

    @Test("a withdrawal whose answer was lost is known to the observer before the call returns")
    func observer() async throws {
        try await withProxy { proxy, ports in
            let message = try await ports.message()
            try await ports.record(.given, for: .ana)
            let reference = try await ports.reference(of: .ana, message: message)
            proxy.cut(.everyCommitAnswer(1))
            let task = Task { try await ports.record(.withdrawn, for: .ana) }
            #expect(await eventually { proxy.cuts > 0 })
            proxy.cut(nil)
            let record = try await task.value
            #expect(
                try await ports.status(of: reference)
                    == .inForce(
                        ConsentInForce(
                            record: record.id, state: .withdrawn, occurredAt: record.occurredAt, validUntil: nil)))
            #expect(try await ports.consents.history(of: .ana, in: ports.acme).count == 2)
        }
    }

    @Test("nodes share a database, and who wants it alone is refused while one of them writes")
    func claims() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        #expect(throws: WriterBusy.self) { try WriterClaim(isAlone: true).acquire(connection) }
        try WriterClaim(isAlone: false).acquire(connection)
        connection.close()
        try await ports.record(.given, for: .ana)
        try fixture.close()
    }

    @Test("no other connection writes while one has the database alone")
    func alone() async throws {
        let fixture = try await PostgresFixture()
        let mover = try PostgresConnection(fixture.settings.location, password: nil)
        try WriterClaim(isAlone: true).acquire(mover)
        let other = try PostgresConnection(fixture.settings.location, password: nil)
        #expect(throws: WriterBusy.self) { try WriterClaim(isAlone: false).acquire(other) }
        mover.close()
        other.close()
    }
}
