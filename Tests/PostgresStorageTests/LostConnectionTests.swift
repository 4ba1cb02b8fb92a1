import Consent
import Foundation
import Identifiers
import Ledger
import PostgresClient
import PostgresServer
import StorageContracts
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
            while proxy.cuts == 0 { try await Task.sleep(for: .milliseconds(5)) }
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

    @Test("a service whose answer was lost while it took the database again has it, and goes on")
    func claimWithoutAnswer() async throws {
        let fixture = try await PostgresFixture()
        let proxy = try CuttingProxy(to: .shared, database: fixture.settings.location)
        var claim = WriterClaim()
        // The third answer of each connection: of the row that says who has the database.
        for cut in [nil, .everyAnswer(3), nil] as [CuttingProxy.Cut?] {
            let connection = try PostgresConnection(proxy.location, password: nil)
            proxy.cut(cut)
            if cut == nil {
                try take(&claim, connection)
            } else {
                #expect(throws: PostgresError.self) { try take(&claim, connection) }
            }
            connection.close()
        }
        #expect(proxy.cuts == 1)
        var other = WriterClaim()
        let connection = try PostgresConnection(proxy.location, password: nil)
        try take(&other, connection)
        connection.close()
        let last = try PostgresConnection(proxy.location, password: nil)
        #expect(throws: WriterTaken.self) { try take(&claim, last) }
        last.close()
        proxy.close()
    }

    /// The server gives up what a closed connection held a moment later.
    private func take(_ claim: inout WriterClaim, _ connection: PostgresConnection) throws {
        while true {
            do {
                return try claim.take(connection)
            } catch is WriterBusy {
                usleep(5_000)
            }
        }
    }

    @Test("a second service is refused while the first one writes, and the first goes on")
    func secondWriter() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        var claim = WriterClaim()
        #expect(throws: WriterBusy.self) { try claim.take(connection) }
        connection.close()
        try await ports.record(.given, for: .ana)
        try fixture.close()
    }
}
