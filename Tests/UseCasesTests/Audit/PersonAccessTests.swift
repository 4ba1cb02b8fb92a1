import Consent
import Identifiers
import Organizations
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite struct PersonAccessTests {
    @Test("a look is recorded as it was, at the time of the service, and listed as it was asked for")
    func recording() async throws {
        let log = LogInMemory()
        let accesses = PersonAccess(log: log) { .noon + 7 }
        let acme = try OrganizationID("acme")
        let who = try AccessorName(account: "248289761001")
        let recorded = try await accesses.record(
            who: who, reason: AccessReason("complaint"), recipient: RecipientID("ana@example.com"), what: .timeline,
            organization: acme)
        #expect(recorded.accessedAt == .noon + 7)
        #expect(try await accesses.list(AccessQuery(who: who), limit: 3, organization: acme) == [recorded])
        #expect(log.asked.withLock { $0 } == [AccessQuery(who: who)])
    }

    @Test("what is found after an erasure is shown under an access that names the recipient again")
    func erasedDuringLook() async throws {
        let log = LogInMemory()
        let accesses = PersonAccess(log: log) { .noon }
        let ana = try RecipientID("ana@example.com")
        let look = try await accesses.look(
            who: .operator, reason: AccessReason("complaint"), recipient: ana, what: .timeline,
            organization: OrganizationID("acme"))
        #expect(try await look.showing([1]) == [1])
        #expect(log.recipients == [ana])
        log.eraseRecipients()
        #expect(try await look.showing([Int]()).isEmpty)
        #expect(log.recipients == [nil])
        #expect(try await look.showing([2]) == [2])
        #expect(log.recipients == [nil, ana])
        #expect(try await look.showing([3]) == [3])
        #expect(log.recipients == [nil, ana])
    }

    @Test("a look is recorded under the id of the key or as the operator's, and one without a key is not recorded")
    func principals() throws {
        let id = APIKeyID(try TimeOrderedNumber("3357d7d9f4000001"))
        let key = APIKey(id: id, organization: try OrganizationID("acme"), name: "ana@example.com", scopes: [.read])
        #expect(Principal.key(key).accessor?.description == "key:3357d7d9f4000001")
        #expect(Principal.operator.accessor == .operator)
        #expect(Principal.anonymous.accessor == nil)
    }
}

private final class LogInMemory: AccessLog {
    private let entries = Mutex<[AccessEntry]>([])
    let asked = Mutex<[AccessQuery]>([])

    /// Whom each entry names, in order.
    var recipients: [RecipientID?] { entries.withLock { $0.map(\.recipient) } }

    /// As an erasure does with the entries of a recipient.
    func eraseRecipients() {
        entries.withLock { entries in
            entries = entries.map { entry in
                AccessEntry(id: entry.id, who: entry.who, what: entry.what, recipient: nil, reason: entry.reason)
            }
        }
    }

    func record(_ access: NewAccess, in _: OrganizationID, at now: Timestamp) async throws -> AccessEntry {
        let number = try #require(TimeOrderedNumber(rawValue: TimeOrderedNumber.lowerBound(at: now)))
        let entry = AccessEntry(
            id: AccessID(number), who: access.who, what: access.what, recipient: access.recipient,
            reason: access.reason)
        entries.withLock { $0.append(entry) }
        return entry
    }

    func accesses(matching query: AccessQuery, limit: Int, in _: OrganizationID) async throws -> [AccessEntry] {
        asked.withLock { $0.append(query) }
        return Array(entries.withLock { $0 }.prefix(limit))
    }

    func hasAccess(_ id: AccessID, in _: OrganizationID) async throws -> Bool {
        entries.withLock { entries in entries.contains { $0.id == id } }
    }

    func namesRecipient(_ id: AccessID, in _: OrganizationID) async throws -> Bool {
        entries.withLock { entries in entries.contains { $0.id == id && $0.recipient != nil } }
    }
}
