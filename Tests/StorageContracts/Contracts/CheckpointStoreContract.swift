import Consent
import Identifiers
import Ledger
import Organizations
import Synchronization
import TestSupport
import Testing

/// What every `CheckpointStore` promises to the signer.
package enum CheckpointStoreContract {
    package static let promises: [Promise] = beginning + checking + signing

    private static let beginning: [Promise] = [
        Promise("every organization is named at a start, and a ledger that is there begins no second time") { storage in
            let before = try await storage.ledgerSizes()
            #expect(try await Set(storage.ledgers.begin(at: .noon)) == [storage.acme, storage.globex])
            #expect(try await storage.ledgerSizes() == before)
            let initech = Organization(id: try OrganizationID("initech"), name: "", enforcement: .restrictive)
            _ = try await storage.organizations.create(initech, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(try await storage.ledgers.begin(at: .noon).contains(initech.id))
            #expect(try await storage.ledgers.head(of: initech.id)?.head.size == 1)
        },
        Promise("a ledger has a name of its own, and an organization that is not there has none") { storage in
            for organization in [storage.acme, storage.globex] {
                let origin = try await storage.ledgers.origin(of: organization)
                #expect(origin == "\(StorageUnderTest.ledgerHost)/\(organization)")
                #expect(try await storage.ledgers.head(of: organization)?.origin == origin)
            }
            #expect(try await storage.ledgers.origin(of: OrganizationID("nobody")) == nil)
        },
    ]

    private static let checking: [Promise] = [
        Promise("a ledger agrees with every head that it ever had, also after the storage was opened again") {
            storage in
            var heads = [try await storage.treeHead()]
            for count in [1, 254, 1, 300] {
                try await storage.decide(count)
                heads.append(try await storage.treeHead())
            }
            let reopened = try storage.reopen()
            for head in heads {
                #expect(try await reopened.ledgers.check(storage.acme, against: head) == nil)
            }
            #expect(reopened.ledgers.inconsistencies.isEmpty)
        },
        Promise("a head of another tree closes the ledger, and no other one") { storage in
            try await storage.decide(3)
            let head = try await storage.treeHead()
            var hasher = TreeHasher()
            let foreign = TreeHead(size: head.size, root: hasher.leaf([1]))
            let found = try #require(try await storage.ledgers.check(storage.acme, against: foreign))
            #expect(found.organization == storage.acme)
            #expect(storage.ledgers.inconsistencies == [found])
            await #expect(throws: found) { try await storage.decide(1) }
            #expect(try await storage.treeHead() == head)
            try await storage.record(.given, for: .ana, in: storage.globex)
        },
        Promise("a head of more entries than there are says which are missing") { storage in
            try await storage.decide(3)
            let head = try await storage.treeHead()
            let found = try await storage.ledgers.check(
                storage.acme, against: TreeHead(size: head.size + 5, root: head.root))
            #expect(found?.finding == .missing(head.size...(head.size + 4)))
        },
        Promise("the heads that this process has committed are known, and not what it has only read") { storage in
            try await storage.decide(3)
            let (acme, globex) = (try await storage.treeHead(), try await storage.treeHead(of: storage.globex))
            #expect(storage.ledgers.committedHeads == [storage.acme: acme, storage.globex: globex])
            let reopened = try storage.reopen()
            #expect(try await reopened.treeHead() == acme)
            #expect(reopened.ledgers.committedHeads.isEmpty)
            try await reopened.decide(1)
            let head = try await reopened.treeHead()
            #expect(reopened.ledgers.committedHeads == [storage.acme: head])
            #expect(try await reopened.ledgers.check(storage.acme, against: head) == nil)
        },
        Promise("a closed ledger takes nothing of any kind, and says why") { storage in
            try await storage.record(.given, for: .ana)
            let message = try await storage.message()
            let head = try await storage.treeHead()
            let reason = LedgerInconsistency(storage.acme, .anotherTree(0...0))
            storage.ledgers.close(because: reason)
            #expect(storage.ledgers.inconsistencies == [reason])
            await #expect(throws: reason) { try await storage.record(.withdrawn, for: .ana) }
            await #expect(throws: reason) { try await storage.decide([(.ana, .consentGiven)], of: message) }
            await #expect(throws: reason) { _ = try await storage.consents.erase(.ana, in: storage.acme) }
            await #expect(throws: reason) {
                let change = OrganizationChange(enforcement: .nonRestrictive)
                _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            }
            await #expect(throws: reason) {
                _ = try await storage.purge(storage.acme, at: .noon, limit: 9)
            }
            #expect(try await storage.treeHead() == head)
            let history = try await storage.consents.history(of: .ana, in: storage.acme)
            #expect(history.map(\.state) == [.given])
        },
        Promise("each closed ledger is told of once, also one closed before; the first reason stays") { storage in
            let (first, second) = (
                LedgerInconsistency(storage.acme, .checkpoint), LedgerInconsistency(storage.globex, .anotherTree(0...0))
            )
            storage.ledgers.close(because: first)
            let told = Told<LedgerInconsistency>()
            storage.ledgers.onInconsistency { told.note($0) }
            #expect(told.all == [first])
            storage.ledgers.close(because: LedgerInconsistency(storage.acme, .changed(0)))
            storage.ledgers.close(because: second)
            #expect(told.all == [first, second])
            #expect(Set(storage.ledgers.inconsistencies) == [first, second])
        },
    ]

    private static let signing: [Promise] = [
        Promise("the checkpoint that was kept last is read back, of each ledger its own, also after a restart") {
            storage in
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == nil)
            var last: Note?
            for number in [0, 1] as [UInt8] {
                let note = try await CheckpointReplacementContract.note(number, storage)
                try await storage.ledgers.keep(checkpoint: note.text, of: storage.acme, after: last?.head)
                #expect(try await storage.ledgers.checkpoint(of: storage.acme) == note.text)
                last = note
            }
            #expect(try await storage.ledgers.checkpoint(of: storage.globex) == nil)
            #expect(try await storage.ledgers.checkpoint(of: OrganizationID("nobody")) == nil)
            let reopened = try storage.reopen()
            #expect(try await reopened.ledgers.checkpoint(of: storage.acme) == last?.text)
        },
        Promise("ledgers that grew are named once, and only after their commit") { storage in
            _ = storage.ledgers.drainGrown()
            let grown = Told<TreeHead?>()
            storage.ledgers.onGrowth { grown.note(nil) }
            let message = try await storage.message()
            #expect(grown.all.isEmpty)
            try await storage.decide([(.ana, .noConsentRecord)], of: message)
            #expect(grown.all.count == 1)
            try await storage.record(.given, for: .bo, in: storage.globex)
            #expect(grown.all.count == 2)
            #expect(storage.ledgers.drainGrown() == [storage.acme, storage.globex])
            #expect(storage.ledgers.drainGrown().isEmpty)
            // A write that fails makes nothing grow.
            await #expect(throws: (any Error).self) {
                try await storage.decide([(.ana, .noConsentRecord)], of: message, in: OrganizationID("nobody"))
            }
            #expect(grown.all.count == 2)
            #expect(storage.ledgers.drainGrown().isEmpty)
        },
    ]
}

/// What was told, in order.
private final class Told<Value: Sendable>: Sendable {
    private let guarded = Mutex<[Value]>([])

    var all: [Value] { guarded.withLock { $0 } }

    func note(_ value: Value) { guarded.withLock { $0.append(value) } }
}

extension StorageUnderTest {
    func treeHead(of organization: OrganizationID? = nil) async throws -> TreeHead {
        try #require(try await ledgers.head(of: organization ?? acme)).head
    }

    func ledgerSizes() async throws -> [UInt64] { [try await treeHead().size, try await treeHead(of: globex).size] }

    /// Decides about so many recipients, without consent.
    func decide(_ count: Int) async throws {
        let people = try (0..<count).map { try RecipientID("person\($0)") }
        try await decide(people.map { ($0, .noConsentRecord) }, of: message())
    }
}
