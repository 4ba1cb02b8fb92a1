import Consent
package import Identifiers
package import Ledger
import Organizations
import TestSupport
import Testing

/// What every storage promises about its ledgers.
package enum LedgerContract {
    package static let promises: [Promise] = [
        Promise("a ledger begins with its organization, and with the enforcement that applies") { storage in
            for organization in [storage.acme, storage.globex] {
                let head = try #require(try await storage.ledgers.head(of: organization))
                #expect(head.origin == "\(StorageUnderTest.ledgerHost)/\(organization)")
                #expect(head.head.size == 1)
                #expect(try await storage.entries(of: organization).count == 1)
            }
            let nobody = try OrganizationID("nobody")
            #expect(try await storage.ledgers.head(of: nobody) == nil)
            #expect(try await storage.ledgers.entries(from: 0, count: 9, in: nobody) == [])
        },
        Promise("whatever is recorded, decided, erased or changed is entered, in the order in which it was") {
            storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let consent = try await storage.record(.given, for: ana, evidence: ConsentEvidence(method: "form"))
            let decided = try await storage.decide([(ana, .consentGiven), (bo, .noConsentRecord)], of: message)
            var change = OrganizationChange()
            change.enforcement = .nonRestrictive
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon + 5)
            _ = try await storage.consents.erase(bo, in: storage.acme)

            let items = try await storage.ledgers.entries(from: 0, count: 100, in: storage.acme)
            #expect(items.map(\.leaf) == Array(0..<6))
            #expect(
                items.map(\.subject) == [
                    .event, .consent(consent.id), .decision(decided[0].id), .decision(decided[1].id), .event, .event,
                ])
            #expect(items[4].entry == LedgerEntry.enforcement(at: .noon + 5, .nonRestrictive).json)
            #expect(
                items[5].entry
                    == LedgerEntry.erasure(at: .noon, ErasureCounts(consents: 0, decisions: 1, interactions: 0)).json)
            #expect(items[1].opening?.fields == PrivateFields.consent(consent, about: ana))
            #expect(
                items[2].opening?.fields
                    == PrivateFields.decision(recipient: ana, message: message, purpose: .tracking, consent: nil))
            #expect(items[3].opening == nil)
            for item in items[1...2] { try item.checkOpening() }
            #expect(try await storage.ledgers.entries(from: 2, count: 2, in: storage.acme) == Array(items[2...3]))
            #expect(try await storage.ledgers.entries(from: 6, count: 2, in: storage.acme) == [])
            try await storage.checkTree()
        },
        Promise("the entry of a row is found by its id, by its own organization alone") { storage in
            let message = try await storage.message()
            let people = try (0..<700).map { try RecipientID("person\($0)") }
            let decided = try await storage.decide(people.map { ($0, .noConsentRecord) }, of: message)
            let other = try await storage.message("other", in: storage.globex)
            let others = try await storage.decide(
                people.prefix(3).map { ($0, .notOptedOut) }, of: other, in: storage.globex)
            let later = try await storage.decide([(people[0], .noConsentRecord)], of: message)
            let consent = try await storage.record(.refused, for: people[0])

            for (place, decision) in decided.enumerated().filter({ $0.offset % 97 == 0 }) {
                let item = try #require(try await storage.ledgers.entry(of: decision.id, in: storage.acme))
                #expect(item.subject == .decision(decision.id))
                #expect(item.leaf == UInt64(1 + place))
                #expect(try await storage.ledgers.entry(of: decision.id, in: storage.globex) == nil)
            }
            #expect(try await storage.ledgers.entry(of: others[2].id, in: storage.globex)?.leaf == 3)
            #expect(try await storage.ledgers.entry(of: later[0].id, in: storage.acme)?.leaf == 701)
            #expect(try await storage.ledgers.entry(of: consent.id, in: storage.acme)?.leaf == 702)
            for number in [decided[0].id.rawValue - 1, later[0].id.rawValue + 1] {
                let unknown = try #require(DecisionID(rawValue: number))
                #expect(try await storage.ledgers.entry(of: unknown, in: storage.acme) == nil)
            }
            #expect(try await storage.ledgers.entry(of: others[1].id, in: storage.acme) == nil)
            try await storage.checkTree()
            try await storage.checkTree(of: storage.globex)
        },
        Promise("an entry says the same after its person was erased, and nothing opens it any more") { storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let consent = try await storage.record(.given, for: ana, evidence: ConsentEvidence(source: "a place"))
            let decided = try await storage.decisions.append(
                [
                    Decision(recipient: ana, verdict: ConsentVerdict(reason: .consentGiven, basis: consent.id)),
                    Decision(recipient: bo, verdict: ConsentVerdict(reason: .noConsentRecord)),
                ], of: message, in: storage.acme, asOf: storage.basis(), at: .noon)
            let before = try await storage.entries()
            _ = try await storage.consents.erase(ana, in: storage.acme)
            // About somebody who is erased already: it names nobody, and its fields are known to be none.
            let about = try await storage.decide([(ana, .recipientErased)], of: message)[0]

            #expect(try await storage.entries().prefix(4) == before[...])
            #expect(try await storage.ledgers.entry(of: consent.id, in: storage.acme)?.opening == nil)
            #expect(try await storage.ledgers.entry(of: decided[0].id, in: storage.acme)?.opening == nil)
            #expect(try await storage.ledgers.entry(of: decided[1].id, in: storage.acme)?.opening != nil)
            let nobody = try #require(try await storage.ledgers.entry(of: about.id, in: storage.acme)?.opening)
            #expect(
                nobody.fields
                    == PrivateFields.decision(recipient: nil, message: message, purpose: .tracking, consent: nil))
            try await storage.checkTree()

            // Erased twice is erased once.
            let size = try await storage.ledgers.head(of: storage.acme)?.head.size
            _ = try await storage.consents.erase(ana, in: storage.acme)
            #expect(try await storage.ledgers.head(of: storage.acme)?.head.size == size)
        },
        Promise("of a recipient with a long history each entry says the same after the erasure") { storage in
            for count in [1_300, 1, 3] {
                let records = try (0..<count).map { number in
                    try NewConsentRecord(
                        recipient: number.isMultiple(of: 3) ? .bo : .ana, purpose: .tracking, state: .withdrawn,
                        occurredAt: nil, validUntil: nil, evidence: ConsentEvidence(source: "\(number)"), now: .noon)
                }
                _ = try await storage.consents.append(records, in: storage.acme, at: .noon)
                try await storage.record(.withdrawn, for: .bo, in: storage.globex)
            }
            let before = try await storage.entries()
            #expect(try await storage.consents.erase(.ana, in: storage.acme).consents == 868)
            #expect(try await storage.entries().prefix(before.count) == before[...])
            try await storage.checkTree()
            #expect(try await storage.pass().findings == [])
        },
        Promise("a tile has as many hashes as were asked for, or is not there") { storage in
            let message = try await storage.message()
            let people = try (0..<700).map { try RecipientID("person\($0)") }
            try await storage.decide(people.map { ($0, .noConsentRecord) }, of: message)
            #expect(try await storage.width(0, 0, 256) == 256)
            #expect(try await storage.width(0, 1, 3) == 3)
            #expect(try await storage.width(0, 2, 189) == 189)
            #expect(try await storage.width(0, 2, 190) == nil)
            #expect(try await storage.width(0, 3, 1) == nil)
            #expect(try await storage.width(1, 0, 2) == 2)
            #expect(try await storage.width(1, 0, 3) == nil)
            #expect(try await storage.width(2, 0, 1) == nil)
            #expect(try await storage.width(0, 0, 0) == nil)
            #expect(try await storage.width(0, 0, 257) == nil)
            #expect(try await storage.width(0, .max, 1) == nil)
            #expect(try await storage.width(63, 0, 1) == nil)
        },
        Promise("ledgers of several organizations that write at once keep apart") { storage in
            let messages = [
                (storage.acme, try await storage.message()),
                (storage.globex, try await storage.message(in: storage.globex)),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    let (organization, message) = messages[number % 2]
                    group.addTask {
                        let person = try RecipientID("person\(number % 40)")
                        if number % 7 == 0 { try await storage.record(.given, for: person, in: organization) }
                        try await storage.decide([(person, .consentRefused)], of: message, in: organization)
                        // A write that fails after others in its group leaves nothing.
                        await #expect(throws: (any Error).self) {
                            try await storage.decide([(person, .consentRefused)], of: message, in: OrganizationID("no"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await storage.checkTree()
            try await storage.checkTree(of: storage.globex)
        },
    ]
}

extension StorageUnderTest {
    package func entries(of organization: OrganizationID? = nil) async throws -> [[UInt8]] {
        try await ledgers.entries(from: 0, count: 1_000_000, in: organization ?? acme).map(\.entry)
    }

    /// How many hashes there are when `count` are asked for.
    fileprivate func width(_ level: Int, _ index: UInt64, _ count: Int) async throws -> Int? {
        let tile = try await ledgers.tile(TileID(level: level, index: index), width: count, in: acme)
        return tile?.hashes.count
    }

    /// The tree is that over the rendered rows, however it is asked for: by its head and by each of its tiles.
    @discardableResult
    package func checkTree(of organization: OrganizationID? = nil) async throws -> UInt64 {
        let entries = try await entries(of: organization)
        let leaves = Self.hashes(of: entries)
        let head = try #require(try await ledgers.head(of: organization ?? acme)).head
        #expect(head == Self.head(over: leaves))
        for first in stride(from: 0, to: leaves.count, by: Tile.width) {
            let hashes = Array(leaves[first..<min(first + Tile.width, leaves.count)])
            let place = TileID(level: 0, index: UInt64(first / Tile.width))
            let tile = try await ledgers.tile(place, width: hashes.count, in: organization ?? acme)
            #expect(tile == Tile(place, hashes))
        }
        return head.size
    }

    private static func hashes(of entries: [[UInt8]]) -> [TreeHash] {
        var hasher = TreeHasher()
        var hashes: [TreeHash] = []
        for entry in entries { hashes.append(hasher.leaf(entry)) }
        return hashes
    }

    private static func head(over leaves: [TreeHash]) -> TreeHead {
        var hasher = TreeHasher()
        return TreeHead(size: UInt64(leaves.count), root: hasher.root(of: leaves[...]))
    }
}

extension LedgerItem {
    /// The entry says the commitment to what opens it.
    package func checkOpening() throws {
        let opening = try #require(opening)
        var committer = CommitmentHasher()
        let commitment = committer.commitment(to: opening.fields, salt: opening.salt)
        #expect(String(decoding: entry, as: UTF8.self).contains("\"commit\":\"\(commitment.text)\""))
    }
}
