import Cryptography
import Identifiers
import Ledger
import Testing

/// What every `CheckpointStore` promises to several signers of one ledger.
package enum CheckpointReplacementContract {
    package static let promises: [Promise] = [
        Promise("a checkpoint is kept in the place of the one that its signer knows of") { storage in
            let first = try await note(0, storage)
            try await storage.ledgers.keep(checkpoint: first.text, of: storage.acme, after: nil)
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == first.text)
            let second = try await note(1, storage)
            try await storage.ledgers.keep(checkpoint: second.text, of: storage.acme, after: first.head)
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == second.text)
            #expect(try await storage.ledgers.checkpoint(of: storage.globex) == nil)
        },
        Promise("a signer that knows of another one, or of none, changes nothing") { storage in
            let (first, second) = (try await note(0, storage), try await note(1, storage))
            await #expect(throws: CheckpointMoved.self) {
                try await storage.ledgers.keep(checkpoint: second.text, of: storage.acme, after: first.head)
            }
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == nil)
            try await storage.ledgers.keep(checkpoint: first.text, of: storage.acme, after: nil)
            for head in [nil, second.head, TreeHead(size: first.head.size + 1, root: first.head.root)] {
                await #expect(throws: CheckpointMoved.self) {
                    try await storage.ledgers.keep(checkpoint: second.text, of: storage.acme, after: head)
                }
            }
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == first.text)
        },
        Promise("a signer that did not get the answer may repeat itself") { storage in
            let (first, second) = (try await note(0, storage), try await note(1, storage))
            for _ in 1...2 { try await storage.ledgers.keep(checkpoint: first.text, of: storage.acme, after: nil) }
            for _ in 1...2 {
                try await storage.ledgers.keep(checkpoint: second.text, of: storage.acme, after: first.head)
            }
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == second.text)
        },
        Promise("of many signers that know of the same checkpoint, one succeeds") { storage in
            let first = try await note(0, storage)
            try await storage.ledgers.keep(checkpoint: first.text, of: storage.acme, after: nil)
            var notes: [Note] = []
            for number in 1...8 { notes.append(try await note(UInt8(number), storage)) }
            let kept = await withTaskGroup(of: String?.self) { group in
                for note in notes {
                    group.addTask {
                        do {
                            try await storage.ledgers.keep(
                                checkpoint: note.text, of: storage.acme, after: first.head)
                            return note.text
                        } catch {
                            #expect(error is CheckpointMoved)
                            return nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            #expect(kept.count == 1)
            #expect(try await storage.ledgers.checkpoint(of: storage.acme) == kept.first)
        },
    ]
}

/// A checkpoint as a signer keeps it.
struct Note: Sendable {
    let head: TreeHead
    let text: String
}

extension CheckpointReplacementContract {
    /// A note over as many entries as Acme's ledger has, with another root for every number.
    static func note(_ number: UInt8, _ storage: StorageUnderTest) async throws -> Note {
        let ledger = try #require(try await storage.ledgers.head(of: storage.acme))
        var hasher = TreeHasher()
        let head = TreeHead(size: ledger.head.size, root: hasher.leaf([number]))
        let key = try SignerKey(
            name: KeyName(ledger.origin), seed: SecretBytes([UInt8](repeating: 1, count: 32)))
        return Note(head: head, text: String(decoding: key.sign(head).bytes, as: UTF8.self))
    }
}
