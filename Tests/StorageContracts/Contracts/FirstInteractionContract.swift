import Consent
import Identifiers
import Interactions
import TestSupport
import Testing

/// What every `InteractionStore` promises of the first interaction of each kind of a person with a message.
package enum FirstInteractionContract {
    package static let promises: [Promise] = [
        Promise("the first of its kind is told however much somebody does, and in however many writes it comes") {
            storage in
            let message = try await storage.message()
            let people = [
                try await storage.reference(of: .ana, message: message),
                try await storage.reference(of: .bo, message: message),
            ]
            var random = SeededGenerator(seed: 5)
            // One kind comes only once each of them has done more than is judged.
            var occurrences: [SpooledOccurrence] = []
            for number: UInt64 in 1...400 {
                guard let occurrence = Occurrence.random(of: [message], by: people, &random),
                    number > 200 || occurrence.kind != .messageOpened
                else { continue }
                occurrences.append(
                    SpooledOccurrence(id: InteractionID(TimeOrderedNumber(known: number)), occurrence: occurrence))
            }
            let all = occurrences
            while !occurrences.isEmpty {
                let part = occurrences.prefix(Int.random(in: 1...12, using: &random))
                try await storage.interactions.store(Array(part), at: .noon)
                occurrences.removeFirst(part.count)
            }
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 500, in: storage.acme)
            #expect(stored.map(\.isFirst) == all.map(\.occurrence).firstsOfTheirKind)
            #expect(all.suffix(100).map(\.occurrence).contains { $0.kind == .messageOpened })
        },
        Promise("what comes first in the write in which somebody does more than is judged is not first again later") {
            storage in
            let message = try await storage.message()
            let people = [
                try await storage.reference(of: .ana, message: message),
                try await storage.reference(of: .bo, message: message),
            ]
            var all: [SpooledOccurrence] = []
            func add(_ kind: InteractionKind, _ count: Int = 1) {
                for reference in people {
                    for _ in 0..<count {
                        let occurrence = Occurrence(
                            kind: kind, source: .redirect, occurredAt: .noon, message: message, recipient: reference,
                            link: .message, visitor: .browserAgent)
                        all.append(occurrence.spooled(UInt64(all.count + 1)))
                    }
                }
            }
            // Each has 31 interactions, or 30: then the two kinds of one write are the 32nd and the 33rd.
            add(.pushLinkClicked, 31)
            all.removeLast()
            try await storage.interactions.store(all, at: .noon)
            let writes: [[InteractionKind]] = [
                [.pushLinkClicked, .messageOpened, .pushNotificationOpened], [.messageOpened],
            ]
            for write in writes {
                let stored = all.count
                for kind in write { add(kind) }
                try await storage.interactions.store(Array(all[stored...]), at: .noon)
            }
            add(.pushNotificationOpened)
            for one in all.suffix(2) { try await storage.interactions.store([one], at: .noon) }
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 500, in: storage.acme)
            #expect(stored.map(\.isFirst) == all.map(\.occurrence).firstsOfTheirKind)
        },
    ]
}

extension [Occurrence] {
    /// For each, whether its person had not done this with its message before.
    var firstsOfTheirKind: [Bool] {
        indices.map { place in
            !self[..<place].contains {
                ($0.kind, $0.message, $0.recipient) == (self[place].kind, self[place].message, self[place].recipient)
            }
        }
    }
}
