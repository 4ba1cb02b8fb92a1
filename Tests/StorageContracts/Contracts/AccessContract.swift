package import Consent
package import Identifiers
import Ledger
import Organizations
import TestSupport
import Testing

/// What every storage promises about recorded looks at recipients.
package enum AccessContract {
    package static let promises: [Promise] = recording + asking + forgetting

    private static let day: Int64 = 86_400_000

    private static let recording: [Promise] = [
        Promise("a look is kept as it was recorded, with an entry that hides whom it was about and why") { storage in
            try await storage.record(.given, for: .ana)
            let access = try await storage.look(.operator, at: .decisions, "complaint 4711")
            #expect(try access.recipient == .ana)
            #expect(access.accessedAt >= .noon)
            #expect(try await storage.looks() == [access])
            let item = try #require(try await storage.ledgers.entry(of: access.id, in: storage.acme))
            let opening = try #require(item.opening)
            let reason = try AccessReason("complaint 4711")
            #expect(try opening.fields == PrivateFields.access(reason: reason, recipient: .ana))
            var hasher = CommitmentHasher()
            let commit = hasher.commitment(to: opening.fields, salt: opening.salt)
            let entry = LedgerEntry.access(id: access.id, who: .operator, what: .decisions, commit: commit)
            #expect(item.entry == entry.json)
            #expect(item.subject == .access(access.id))
            #expect(try await storage.ledgers.entry(of: access.id, in: storage.globex) == nil)
            try await storage.checkTree()
            #expect(try await storage.reopened { try await $0.looks() } == [access])
        },
        Promise("of a look at somebody of whom nothing is held, nothing is kept that an erasure would not find") {
            storage in
            let unknown = try await storage.look(.operator, at: .consents, "wrong number")
            #expect(unknown.recipient == nil)
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            let erased = try await storage.look(.operator, of: .bo, at: .consents, "asked again")
            #expect(erased.recipient == nil)
            #expect(try await storage.consents.firstName(of: .ana, in: storage.acme) == nil)
            #expect(try await storage.looks() == [erased, unknown])
            #expect(unknown.reason == nil && erased.reason == nil && unknown.who == .operator)
            let entries = try await storage.ledgers.entries(from: 0, count: 99, in: storage.acme)
            for access in [unknown, erased] {
                let item = try #require(try await storage.ledgers.entry(of: access.id, in: storage.acme))
                #expect(item.opening == nil)
                let next = try #require(entries.first { $0.leaf == item.leaf + 1 })
                #expect(next.entry == LedgerEntry.accessesForgotten(at: access.accessedAt, accesses: 1).json)
            }
            #expect(try await storage.status(of: .ana) == .nothing)
            #expect(try await storage.status(of: .bo) == .erased)
            try await storage.checkTree()
        },
        Promise("no look is recorded in an unknown organization, nor in a closed ledger") { storage in
            let access = try NewAccess(who: .operator, what: .consents, recipient: .ana, reason: AccessReason("why"))
            await #expect(throws: (any Error).self) {
                try await storage.accesses.record(access, in: OrganizationID("nobody"), at: .noon)
            }
            let size = try await storage.ledgers.head(of: storage.acme)?.head.size
            storage.ledgers.close(because: LedgerInconsistency(storage.acme, .checkpoint))
            await #expect(throws: LedgerInconsistency.self) {
                try await storage.accesses.record(access, in: storage.acme, at: .noon)
            }
            #expect(try await storage.looks().isEmpty)
            #expect(try await storage.ledgers.head(of: storage.acme)?.head.size == size)
        },
        Promise("looks stand among other entries, and the consent feed passes over them") { storage in
            let first = try await storage.record(.given, for: .ana)
            for count in 0..<3 { try await storage.look(.operator, at: .consents, "look \(count)") }
            let second = try await storage.record(.withdrawn, for: .ana)
            let items = try #require(try await storage.consents.items(after: nil, limit: 9, in: storage.acme))
            #expect(
                try items.map(\.content) == [
                    .recorded(first, recipient: .ana), .recorded(second, recipient: .ana),
                ])
            try await storage.checkTree()
        },
    ]

    private static let asking: [Promise] = [
        Promise("looks come newest first, page by page, by who, by recipient and by time") { storage in
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo)
            let key = AccessorName(key: "17")
            var all: [AccessEntry] = []
            for hour in 0..<6 {
                all.append(
                    try await storage.look(
                        hour.isMultiple(of: 2) ? .operator : key, of: hour < 4 ? .ana : .bo, at: .consents, "\(hour)",
                        at: .noon + Int64(hour) * 3_600_000))
            }
            all.reverse()
            #expect(try await storage.looks() == all)
            #expect(try await storage.looks(limit: 2) == Array(all.prefix(2)))
            #expect(try await storage.looks(AccessQuery(before: all[1].id), limit: 3) == Array(all[2...4]))
            #expect(try await storage.looks(AccessQuery(who: key)) == [all[0], all[2], all[4]])
            #expect(try await storage.looks(AccessQuery(recipient: .bo)) == [all[0], all[1]])
            #expect(try await storage.looks(AccessQuery(who: key, recipient: .ana)) == [all[2], all[4]])
            #expect(try await storage.looks(AccessQuery(recipient: RecipientID("ANA@Example.com"))).count == 4)
            #expect(try await storage.looks(AccessQuery(recipient: RecipientID("nobody@example.com"))).isEmpty)
            let from = AccessQuery(from: .noon + 3_600_000, to: .noon + 3 * 3_600_000)
            #expect(try await storage.looks(from) == [all[3], all[4]])
            #expect(try await storage.looks(AccessQuery(who: .operator, to: .noon + 1)) == [all[5]])
            #expect(try await storage.accesses.accesses(matching: AccessQuery(), limit: 9, in: storage.globex) == [])
        }
    ]

    private static let forgetting: [Promise] = [
        Promise("an erasure takes recipient and reason from looks, and the ledger says of how many") { storage in
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo)
            let looks = [
                try await storage.look(.operator, at: .consents, "ana's"),
                try await storage.look(.operator, of: .bo, at: .consents, "bo's"),
                try await storage.look(AccessorName(key: "17"), at: .export, "ana's again"),
            ]
            let before = try await storage.ledgers.entries(from: 0, count: 99, in: storage.acme).map(\.entry)
            #expect(try await storage.accesses.namesRecipient(looks[0].id, in: storage.acme))
            #expect(try await storage.accesses.namesRecipient(looks[0].id, in: storage.globex) == false)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            #expect(try await storage.accesses.namesRecipient(looks[0].id, in: storage.acme) == false)
            #expect(try await storage.accesses.namesRecipient(looks[1].id, in: storage.acme))

            let left = try await storage.looks()
            #expect(left[1] == looks[1])
            for (old, new) in [(looks[2], left[0]), (looks[0], left[2])] {
                #expect(
                    new == AccessEntry(id: old.id, who: old.who, what: old.what, recipient: nil, reason: nil))
                #expect(try await storage.ledgers.entry(of: old.id, in: storage.acme)?.opening == nil)
            }
            let entries = try await storage.ledgers.entries(from: 0, count: 99, in: storage.acme).map(\.entry)
            #expect(Array(entries.prefix(before.count)) == before)
            #expect(entries.count == before.count + 2)
            #expect(entries.last == LedgerEntry.accessesForgotten(at: .noon, accesses: 2).json)
            #expect(try await storage.looks(AccessQuery(recipient: .ana)).isEmpty)
            try await storage.checkTree()
        },
        Promise("looks are kept as long as decisions are, and then no longer say at whom and why") { storage in
            try await storage.record(.given, for: .ana)
            let old = try await storage.look(.operator, at: .consents, "old")
            let unknown = try await storage.look(.operator, of: .bo, at: .consents, "of nobody")
            let older = try await storage.look(.operator, at: .consents, "old, too")
            let young = try await storage.look(.operator, at: .consents, "young", at: .noon + 2 * day)
            var change = OrganizationChange()
            change.retention = RetentionChange(interactions: .forever, decisions: .days(1))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            #expect(try await storage.retention.nextDue(in: storage.acme) == .noon + day)

            let first = try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 1)
            #expect(first == Purge(interactions: 0, decisions: 0, accesses: 1, isLast: false))
            let second = try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 9)
            #expect(second == Purge(interactions: 0, decisions: 0, accesses: 1, isLast: true))
            let size = try await storage.ledgers.head(of: storage.acme)?.head.size
            let third = try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 9)
            #expect(third == Purge(interactions: 0, decisions: 0, isLast: true))
            #expect(try await storage.ledgers.head(of: storage.acme)?.head.size == size)

            let left = try await storage.looks()
            #expect(left.first == young)
            #expect(left.dropFirst().map(\.id) == [older.id, unknown.id, old.id])
            #expect(left.dropFirst().allSatisfy { $0.recipient == nil && $0.reason == nil && $0.who == .operator })
            #expect(try await storage.retention.nextDue(in: storage.acme) == .noon + 3 * day)
            let last = try #require(try await storage.ledgers.entries(from: 0, count: 99, in: storage.acme).last)
            #expect(last.entry == LedgerEntry.accessesForgotten(at: .noon + 2 * day, accesses: 1).json)
            try await storage.checkTree()
        },
        Promise("what an organization asks for is kept: that looks are recorded") { storage in
            #expect(try await storage.organizations.organization(storage.acme)?.recordsAccess == false)
            let change = OrganizationChange(recordsAccess: true)
            let changed = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            #expect(changed?.recordsAccess == true)
            #expect(try await storage.organizations.organization(storage.acme)?.recordsAccess == true)
            #expect(try await storage.organizations.organization(storage.globex)?.recordsAccess == false)
        },
    ]
}

extension StorageUnderTest {
    /// Records one look.
    @discardableResult
    package func look(
        _ who: AccessorName, of recipient: RecipientID? = nil, at what: AccessedRecords, _ reason: String,
        at now: Timestamp = .noon
    ) async throws -> AccessEntry {
        let access = NewAccess(
            who: who, what: what, recipient: try recipient ?? .ana, reason: try AccessReason(reason))
        return try await accesses.record(access, in: acme, at: now)
    }

    package func looks(_ query: AccessQuery = AccessQuery(), limit: Int = 99) async throws -> [AccessEntry] {
        try await accesses.accesses(matching: query, limit: limit, in: acme)
    }

    fileprivate func reopened<Value>(_ body: (StorageUnderTest) async throws -> Value) async throws -> Value {
        try await body(try reopen())
    }
}
