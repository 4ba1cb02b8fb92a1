import Consent
import Identifiers
import Interactions
import Organizations
import TestSupport
import Testing

/// What every `InteractionStore` promises.
package enum InteractionStoreContract {
    package static let promises: [Promise] = storing + finding

    private static let storing: [Promise] = [
        Promise("an occurrence is kept with all that is known of it") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let reference = try await storage.reference(of: ana, message: message)
            var random = SeededGenerator(seed: 3)
            let occurrences = (1...200).compactMap { number in
                Occurrence.random(of: [message], by: [reference], &random).map {
                    SpooledOccurrence(id: InteractionID(TimeOrderedNumber(known: number)), occurrence: $0)
                }
            }
            try await storage.interactions.store(occurrences, at: .noon + 5)
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 500, in: storage.acme)
            let firsts = occurrences.map(\.occurrence).firstsOfTheirKind
            #expect(firsts.contains(true) && firsts.contains(false))
            #expect(
                stored
                    == zip(zip(occurrences, stored.map(\.position)), firsts).map { occurrence, isFirst in
                        occurrence.0.asStored(by: ana, at: .noon + 5, position: occurrence.1, isFirst: isFirst)
                    })
        },
        Promise("what is stored is counted once, by organization, and what is forgotten no more") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let clicks = [SpooledOccurrence.click(1, message, reference), .click(2, message, reference)]
            try await storage.interactions.store(clicks, at: .noon)
            try await storage.interactions.store(clicks + [.click(3, message, reference)], at: .noon)
            #expect(try await storage.interactions.count(in: storage.acme) == 3)
            #expect(try await storage.interactions.count(in: storage.globex) == 0)
            #expect(try await storage.interactions.count(in: OrganizationID("nobody")) == 0)

            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            let later = Timestamp.noon + .seconds(9 * 86_400)
            _ = try await storage.purge(storage.acme, at: later, limit: 2)
            #expect(try await storage.interactions.count(in: storage.acme) == 1)
        },
        Promise("what devices reported lately is found again, without the clicks and without the erased") { storage in
            let message = try await storage.message()
            let ana = try await storage.reference(of: .ana, message: message)
            let bo = try await storage.reference(of: .bo, message: message)
            func spooled(
                _ number: UInt64, _ kind: InteractionKind, _ source: InteractionSource, _ recipient: RecipientReference,
                at instant: Timestamp, action: ActionIdentifier? = nil
            ) -> SpooledOccurrence {
                SpooledOccurrence(
                    id: InteractionID(
                        TimeOrderedNumber(known: TimeOrderedNumber.lowerBound(at: instant) + number)),
                    occurrence: Occurrence(
                        kind: kind, source: source, occurredAt: instant, message: message, recipient: recipient,
                        link: .message, visitor: .deviceReport, action: action))
            }
            let lately = [
                spooled(2, .pushNotificationOpened, .dynamics365, ana, at: .noon + 60_000),
                spooled(5, .pushNotificationClicked, .bird, ana, at: .noon + 60_000, action: .tap),
            ]
            try await storage.interactions.store(
                [
                    spooled(1, .pushNotificationOpened, .dynamics365, ana, at: .noon),
                    lately[0], lately[1],
                    spooled(3, .pushLinkClicked, .redirect, ana, at: .noon + 60_000),
                    spooled(4, .pushNotificationClicked, .bird, bo, at: .noon + 60_000),
                ], at: .noon + 60_001)
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            #expect(try await storage.interactions.reports(since: .noon + 1) == lately.map(\.occurrence))
        },
        Promise("what a drain repeats is stored once, as it was the first time") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let first = [SpooledOccurrence.click(1, message, reference), .click(2, message, reference)]
            try await storage.interactions.store(first, at: .noon)
            try await storage.interactions.store(first + [.click(3, message, reference)], at: .noon + 60_000)
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 9, in: storage.acme)
            #expect(stored.map(\.id.rawValue) == [1, 2, 3])
            #expect(stored.map(\.recordedAt) == [.noon, .noon, .noon + 60_000])
            #expect(try await storage.activity(of: message).counts[.kind(.pushLinkClicked)].total == 3)
        },
        Promise("an occurrence of a message that is not known is passed over") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let unknown = MessageID(TimeOrderedNumber(known: 99))
            try await storage.interactions.store(
                [.click(1, unknown, reference), .click(2, message, reference)], at: .noon)
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 9, in: storage.acme)
            #expect(stored.map(\.id.rawValue) == [2])
        },
        Promise("what was judged before a consent record of its recipient is given back, and the rest is stored") {
            storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let references = [
                try await storage.reference(of: ana, message: message),
                try await storage.reference(of: bo, message: message),
            ]
            for recipient in [ana, bo] { try await storage.record(.given, for: recipient) }
            let clicks = [SpooledOccurrence.click(1, message, references[0]), .click(2, message, references[1])]
            let newest = try await storage.consents.newestRecord()
            let prepared = try await storage.interactions.prepare(clicks, judgedAsOf: newest)
            try await storage.record(.withdrawn, for: ana)
            #expect(try await storage.interactions.store(prepared, at: .noon) == [clicks[0]])
            func stored() async throws -> [UInt64] {
                try await storage.interactions.interactions(matching: InteractionQuery(), limit: 9, in: storage.acme)
                    .map(\.id.rawValue)
            }
            #expect(try await stored() == [2])
            let again = try await storage.interactions.prepare(
                [clicks[0]], judgedAsOf: try await storage.consents.newestRecord())
            #expect(try await storage.interactions.store(again, at: .noon).isEmpty)
            #expect(try await stored() == [2, 1])
        },
        Promise("an occurrence of somebody erased on its way names nobody") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let reference = try await storage.reference(of: ana, message: message)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            try await storage.interactions.store([.click(1, message, reference)], at: .noon)
            let stored = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 9, in: storage.acme)
            #expect(stored.map(\.recipient) == [nil])
        },
        Promise("a message's activity counts what it was fed with, person by person") { storage in
            let message = try await storage.message()
            let people = try (0..<20).map { try RecipientID("person\($0)") }
            let references = try await storage.decide(people.map { ($0, .consentGiven) }, of: message)
                .compactMap(\.reference)
            var random = SeededGenerator(seed: 5)
            let occurrences = (1...400).compactMap { number in
                Occurrence.random(of: [message], by: references, &random).map {
                    SpooledOccurrence(id: InteractionID(TimeOrderedNumber(known: number)), occurrence: $0)
                }
            }
            try await storage.interactions.store(occurrences, at: .noon)
            let activity = try await storage.activity(of: message)
            let expected = MessageActivity.counting(occurrences)
            for kind in InteractionKind.allCases {
                #expect(activity.counts[.kind(kind)] == expected.counts[.kind(kind)], "\(kind)")
            }
            #expect(activity.links == expected.links)
            #expect(try await storage.activity(of: message, in: storage.globex).counts.tallies.isEmpty)
        },
    ]

    private static let finding: [Promise] = [
        Promise("any combination of filters finds what going through all interactions finds") { storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            let messages = [try await storage.message(), try await storage.message("autumn")]
            let references = try await storage.decide([(ana, .consentGiven), (bo, .consentGiven)], of: messages[0])
                .compactMap(\.reference)
            var random = SeededGenerator(seed: 11)
            let afterAll = TimeOrderedNumber.lowerBound(at: .noon + 60_000)
            for batch in 0..<10 as Range<UInt64> {
                let occurrences = (1...30 as ClosedRange<UInt64>).compactMap { number in
                    Occurrence.random(of: messages, by: references, &random).map {
                        SpooledOccurrence(
                            id: InteractionID(TimeOrderedNumber(known: afterAll + batch * 100 + number)), occurrence: $0
                        )
                    }
                }
                try await storage.interactions.store(occurrences, at: .noon)
            }
            let all = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 1000, in: storage.acme)
            #expect(all.count == 300)
            #expect(all.map(\.position) == all.map(\.position).sorted())
            #expect(Set(all.map(\.position)).count == 300)
            func maybe<Value>(_ values: [Value]) -> Value? {
                Bool.random(using: &random) ? values.randomElement(using: &random) : nil
            }
            for _ in 0..<400 {
                let query = InteractionQuery(
                    recipient: maybe([ana, bo]), message: maybe(messages), kind: maybe(InteractionKind.allCases),
                    visitor: maybe(VisitorClass.allCases),
                    link: maybe(all.map(\.link)), automated: maybe([true, false]), isFirst: maybe([true, false]),
                    from: maybe(all.map(\.occurredAt)), to: maybe(all.map(\.occurredAt)),
                    after: maybe(all.map { .position($0.position) } + all.map { .interaction($0.id) }))
                let limit = Int.random(in: 0...50, using: &random)
                let found = try await storage.interactions.interactions(
                    matching: query, limit: limit, in: storage.acme)
                #expect(found == Array(all.filter { $0.fits(query) }.prefix(limit)), "\(query)")
                let elsewhere = try await storage.interactions.interactions(
                    matching: query, limit: limit, in: storage.globex)
                #expect(elsewhere.isEmpty)
            }
        }
    ]
}

extension SpooledOccurrence {
    fileprivate func asStored(
        by recipient: RecipientID?, at instant: Timestamp, position: InteractionPosition, isFirst: Bool
    ) -> Interaction {
        Interaction(
            id: id, position: position, kind: occurrence.kind, source: occurrence.source,
            occurredAt: occurrence.occurredAt,
            recordedAt: instant, recipient: recipient, message: occurrence.message, link: occurrence.link,
            action: occurrence.action, visitor: occurrence.visitor, isFirst: isFirst)
    }
}

extension MessageActivity {
    fileprivate static func counting(_ occurrences: [SpooledOccurrence]) -> MessageActivity {
        MessageActivity(
            of: occurrences.map { spooled in
                Row(
                    recipient: spooled.occurrence.recipient, kind: spooled.occurrence.kind,
                    occurredAt: spooled.occurrence.occurredAt, link: spooled.occurrence.link,
                    visitor: spooled.occurrence.visitor.class)
            })
    }
}

extension Interaction {
    /// Where ids were made in the order of storing, as here, both places are the same.
    private func isBehind(_ cursor: InteractionFeedCursor) -> Bool {
        switch cursor {
        case .position(let last): last < position
        case .interaction(let last): last < id
        }
    }

    fileprivate func fits(_ query: InteractionQuery) -> Bool {
        query.recipient.map { $0 == recipient } ?? true && query.message.map { $0 == message } ?? true
            && query.kind.map { $0 == kind } ?? true && query.visitor.map { $0 == visitor.class } ?? true
            && query.from.map { $0 <= occurredAt } ?? true
            && query.link.map { $0 == link } ?? true && query.automated.map { $0 == visitor.isAutomated } ?? true
            && query.isFirst.map { $0 == isFirst } ?? true
            && query.to.map { $0 > occurredAt } ?? true && query.after.map(isBehind) ?? true
    }
}
