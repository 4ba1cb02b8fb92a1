import Consent
import Identifiers
import Ledger
import Testing

/// What a storage promises of ledgers that instances write one after another: each is opened after the one before was
/// closed. A storage with one writer keeps the frontiers of its ledgers and its last ids in memory, so it promises nothing
/// of two that write at once.
package enum SuccessiveWritersContract {
    package static let promises: [Promise] = [
        Promise("a ledger grows on where the instance before left it, with every kind of entry") { storage in
            var (storage, heads) = (storage, [TreeHead]())
            for round in 0..<6 {
                let message = try await storage.message()
                let people = try (0..<130).map { try RecipientID("person\($0)") }
                try await storage.decide(people.map { ($0, .noConsentRecord) }, of: message)
                try await storage.record(.given, for: people[round])
                _ = try await storage.consents.erase(people[round + 50], in: storage.acme)
                try await storage.record(.refused, for: .ana, in: storage.globex)
                heads.append(try await storage.treeHead())
                storage = try storage.reopen()
                #expect(try await storage.treeHead() == heads.last)
                #expect(try await storage.checkTree() == UInt64(1 + (round + 1) * 132))
                #expect(try await storage.checkTree(of: storage.globex) == UInt64(2 + round))
            }
            for head in heads { #expect(try await storage.ledgers.check(storage.acme, against: head) == nil) }
        },
        Promise("single decisions of each instance stand in the order of the instances, under growing ids") { storage in
            var (storage, decided) = (storage, [RecordedDecision]())
            for _ in 0..<5 {
                let message = try await storage.message()
                decided += try await storage.decide([(.ana, .noConsentRecord)], of: message)
                decided += try await storage.decide([(.bo, .consentGiven)], of: message)
                storage = try storage.reopen()
            }
            #expect(decided.map(\.id) == decided.map(\.id).sorted())
            #expect(Set(decided.map(\.id)).count == 10)
            #expect(Set(decided.compactMap(\.reference)).count == 1)
            for (leaf, decision) in zip(1..., decided) {
                let item = try #require(try await storage.ledgers.entry(of: decision.id, in: storage.acme))
                #expect(item.leaf == UInt64(leaf))
            }
            try await storage.checkTree()
        },
        Promise("an instance that was opened for reading before has what was written when it is opened again") {
            storage in
            let reader = try storage.openBeside()
            let before = try await reader.treeHead()
            try await storage.record(.given, for: .ana)
            let after = try await storage.treeHead()
            #expect(after.size == before.size + 1)
            let reopened = try reader.reopen()
            #expect(try await reopened.treeHead() == after)
            try await reopened.record(.withdrawn, for: .ana)
            #expect(try await reopened.checkTree() == after.size + 1)
            #expect(try await reopened.ledgers.check(storage.acme, against: after) == nil)
        },
    ]
}
