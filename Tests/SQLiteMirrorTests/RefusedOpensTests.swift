import Consent
import GRDB
import Identifiers
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteMirror

/// Who said no to opens apart from links is a list of its own, also in a file that an earlier version wrote.
@Suite struct RefusedOpensTests: MirrorSuite {
    let folder: TemporaryFolder
    let acme: OrganizationID

    init() throws {
        folder = try TemporaryFolder()
        acme = try OrganizationID("acme")
    }

    /// Recipient 1 said no, 2 said nothing, and the yes of 3 ends at noon.
    private func rules(at position: UInt64 = 5) throws -> RuleSnapshot {
        let ends = try [(1, .distantPast), (2, .distantPast), (3, .noon)].map { (number, end) in
            RecordingEnd(reference: try reference(number), end: end)
        }
        return RuleSnapshot(
            organizations: [
                OrganizationRules(
                    organization: acme, enforcement: .restrictive, honorsGPC: true,
                    ends: [.purpose(.openTracking): ends, .refusedOpens: [ends[0]]], erased: [])
            ], cursor: .at(position))
    }

    private func refused(_ mirror: SQLiteMirror) async throws -> Set<UInt64> {
        let organization = try #require(try await mirror.rules()?.organizations.first)
        return Set(organization.ends[.refusedOpens, default: []].map(\.reference.rawValue))
    }

    @Test("a no is on the list, and silence and a yes take a recipient off it, also after a restart")
    func changes() async throws {
        let mirror = try opened()
        mirror.store(try rules(), keepsEnds: false)
        func status(_ state: ConsentState, until end: Timestamp? = nil) throws -> ConsentStatus {
            .inForce(
                ConsentInForce(
                    record: try #require(ConsentRecordID(rawValue: 1)), state: state, occurredAt: .noon,
                    validUntil: end))
        }
        let said: [(UInt64, Purpose, ConsentStatus)] = [
            (1, .openTracking, try status(.given, until: .noon + 1)), (2, .openTracking, try status(.withdrawn)),
            (4, .tracking, try status(.refused)), (5, .openTracking, .nothing),
        ]
        mirror.append(
            [
                .consent(
                    try said.map { ConsentChange(reference: try reference($0.0), purpose: $0.1, status: $0.2) }, acme)
            ], upTo: .at(6))
        try await mirror.flush(at: .noon)
        try mirror.close()
        let again = try opened()
        #expect(try await refused(again) == [2])
        let ends = try #require(try await again.rules()?.organizations.first).ends
        #expect(Set(ends[.purpose(.openTracking), default: []].map(\.reference.rawValue)) == [1, 2, 3, 5])
    }

    @Test("in a file of the version before, all whose recording for open-tracking ends are on it until rules are noted")
    func earlierVersion() async throws {
        let before = try opened()
        before.store(try rules(), keepsEnds: false)
        try await before.flush(at: .noon)
        while !before.isComplete { try await before.copyMessages(from: FakeFeed([try .sample(1)])) }
        try before.close()
        let queue = try DatabaseQueue(path: "\(folder.path)/\(SQLiteMirror.fileName)")
        try await queue.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE state DROP COLUMN lacks_rules;
                    DELETE FROM ends WHERE list IN (SELECT number FROM lists WHERE purpose = '');
                    DELETE FROM lists WHERE purpose = '';
                    PRAGMA user_version = 1;
                    """)
        }
        try queue.close()

        let mirror = try opened()
        #expect(mirror.hasRules, "a node can start with it")
        #expect(mirror.needsRules && !mirror.isComplete && mirror.lag > .zero)
        #expect(try await refused(mirror) == [1, 2, 3])
        #expect(await mirror.message(try .sample(1)) != nil)
        mirror.store(try rules(at: 9), keepsEnds: false)
        try await mirror.flush(at: .noon)
        try mirror.close()
        let again = try opened()
        #expect(again.hasRules && !again.needsRules)
        #expect(try await refused(again) == [1])
        #expect(try await again.rules()?.cursor == .at(9))
    }
}
