import Consent
package import Identifiers
package import Interactions
import Messages
package import Reports
import TestSupport
import Testing

/// What every `ReportStore` promises, of one message. Of several messages: `CampaignReportContract`;
/// of people who are forgotten: `ReportForgettingContract`.
package enum ReportStoreContract {
    package static let promises: [Promise] = counting + activity

    private static let counting: [Promise] = [
        Promise("a person composed twice is one person and two decisions") { storage in
            let message = try await storage.message()
            try await storage.decide([(.ana, .noConsentRecord), (.bo, .consentGiven)], of: message)
            try await storage.decide([(.ana, .noConsentRecord), (.bo, .consentGiven)], of: message)
            let counts = try await storage.report(of: message)
            #expect(counts.decisions == [.noConsentRecord: 2, .consentGiven: 2])
            #expect(counts.people[.clicks] == [.noConsentRecord: 1, .consentGiven: 1])
        },
        Promise("tracked once is tracked, else the latest decision counts, within a batch and after it") { storage in
            let message = try await storage.message()
            try await storage.decide(
                [(.ana, .noConsentRecord), (.ana, .consentExpired), (.bo, .consentGiven), (.bo, .consentGiven)],
                of: message)
            #expect(try await storage.report(of: message).people[.clicks] == [.consentExpired: 1, .consentGiven: 1])
            try await storage.decide([(.ana, .consentGiven)], of: message)
            try await storage.decide([(.bo, .consentWithdrawn), (.ana, .consentRefused)], of: message)
            #expect(try await storage.report(of: message).people[.clicks] == [.consentGiven: 2])
        },
        Promise("every person of random batches counts as their decisions say") { storage in
            var random = SeededGenerator(seed: 21)
            let people = try (0..<3000).map { try RecipientID("person\($0)@people.example") }
            let messages = [try await storage.message(), try await storage.message("autumn")]
            var expected: [MessageID: [RecipientID: DecisionReason]] = [:]
            let reasons: [DecisionReason] = [.consentGiven, .noConsentRecord, .consentWithdrawn, .consentRefused]
            for _ in 0..<12 {
                let message = messages[Int.random(in: 0...1, using: &random)]
                let batch = (0..<400).map { _ in
                    (people[Int.random(in: 0..<3000, using: &random)], reasons[Int.random(in: 0..<4, using: &random)])
                }
                try await storage.decide(batch, of: message)
                for (person, reason) in batch {
                    let before = expected[message]?[person]
                    expected[message, default: [:]][person] = ComposedPerson.reason(after: before, reason)
                }
            }
            for message in messages {
                let counted = (expected[message] ?? [:]).values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                #expect(try await storage.report(of: message).people[.clicks] == counted)
            }
        },
        Promise("a message without decisions has an empty report, and one of another organization none") { storage in
            let message = try await storage.message()
            let counts = try await storage.report(of: message)
            #expect(
                counts.decisions.isEmpty && counts.people[.clicks].isEmpty && counts.activity.counts == ActivityCounts()
            )
            #expect(try await storage.reports.counts(of: message, in: storage.globex) == nil)
            #expect(try await storage.reports.counts(of: message, in: OrganizationID("nobody")) == nil)
            let unknown = MessageID(TimeOrderedNumber(known: 99))
            #expect(try await storage.reports.counts(of: unknown, in: storage.acme) == nil)
        },
        Promise("the figures of several messages are those of each alone, and other organizations' have none") {
            storage in
            var mail = Message(name: "mail")
            mail.openTracking = true
            mail.purposes = try MessagePurposes(clicks: .tracking, opens: Purpose("opens"))
            let apart = try await storage.messages.save(mail, in: storage.acme, at: .noon).message.id
            let reasons: [(TrackedActivity, DecisionReason)] = [(.clicks, .consentGiven), (.opens, .consentRefused)]
            let decisions = try reasons.map { activity, reason in
                Decision(recipient: try .ana, activity: activity, verdict: ConsentVerdict(reason: reason))
            }
            _ = try await storage.decisions.append(
                decisions, of: apart, in: storage.acme, asOf: storage.basis(), at: .noon)
            let together = try await storage.message()
            let reference = try await storage.reference(of: .bo, message: together)
            try await storage.decide([(.ana, .noConsentRecord)], of: together)
            try await storage.interactions.store(
                [.click(1, together, reference), .opening(2, together, reference, by: .browserAgent)], at: .noon)
            let messages = [apart, together, try await storage.message("without anybody")]
            let others = [
                try await storage.message("theirs", in: storage.globex), MessageID(TimeOrderedNumber(known: 99)),
            ]
            let figures = try await storage.reports.figures(of: messages + others + messages, in: storage.acme)
            #expect(figures.count == messages.count)
            for message in messages {
                let alone = try await storage.report(of: message).figures
                #expect(figures[message] == alone)
            }
            #expect(figures[together]?.responders?.clickers == 1 && figures[together]?.openers == 1)
            #expect(figures[apart]?.tracked == PerActivity.apart(clicks: 1, opens: 0))
            #expect(try await storage.reports.figures(of: [], in: storage.acme).isEmpty)
            #expect(try await storage.reports.figures(of: messages, in: OrganizationID("nobody")).isEmpty)
        },
        Promise("decisions that are refused count nobody") { storage in
            let message = try await storage.message()
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            await #expect(throws: StaleSnapshot.self) {
                try await storage.decide([(try .bo, .noConsentRecord), (try .ana, .consentGiven)], of: message)
            }
            #expect(try await storage.report(of: message).people[.clicks].isEmpty)
        },
    ]

    private static let activity: [Promise] = [
        Promise("interactions that arrive in any order and in any batches count as all of them counted at once") {
            storage in
            var random = SeededGenerator(seed: 7)
            for round in 0..<12 as Range<UInt64> {
                let message = try await storage.message("round \(round)")
                let people = try (0..<6).map { try RecipientID("person\($0)") }
                let references = try await storage.decide(people.map { ($0, .consentGiven) }, of: message)
                    .compactMap(\.reference)
                // Fewer for each of them than are judged.
                let occurrences = (0..<90).map { _ in
                    Occurrence.crowded(of: message, by: references, &random)
                }
                var expected = ActivityOfAll(madeAt: .noon)
                for occurrence in occurrences { expected.add(occurrence) }
                var rest = occurrences.shuffled(using: &random)[...]
                var number = 1 + round * 1000
                while !rest.isEmpty {
                    let batch = rest.prefix(Int.random(in: 1...40, using: &random)).map { occurrence in
                        number += 1
                        return SpooledOccurrence(
                            id: InteractionID(TimeOrderedNumber(known: number)), occurrence: occurrence)
                    }
                    rest = rest.dropFirst(batch.count)
                    try await storage.interactions.store(batch, at: .noon)
                    // A drain that was interrupted brings a batch again.
                    if Bool.random(using: &random) { try await storage.interactions.store(batch, at: .noon) }
                }
                #expect(try await storage.activity(of: message).counts == expected.counts)
            }
        },
        Promise("a late click that shows three to be a scanner's takes their person from those who clicked") {
            storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            for (number, (link, at)) in [(1, 0), (2, 900)].enumerated() {
                let click = Occurrence.click(message, reference, link: UInt16(link), at: .noon + Int64(at))
                try await storage.interactions.store([click.spooled(UInt64(number + 1))], at: .noon)
            }
            #expect(try await storage.activity(of: message).counts[.kind(.pushLinkClicked)].people == 1)
            let late = Occurrence.click(message, reference, link: 3, at: .noon + 500)
            try await storage.interactions.store([late.spooled(9)], at: .noon + 60_000)
            let activity = try await storage.activity(of: message)
            #expect(activity.counts[.kind(.pushLinkClicked)].people == 0)
            #expect(activity.counts[.kind(.pushLinkClicked)].suspected == 3)
            #expect(activity.links.isEmpty)
            #expect(activity.counts.tallies.keys.allSatisfy { $0 == .kind(.pushLinkClicked) })
        },
        Promise("one recipient's endless clicks are counted in all, and judged up to a bound") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            for batch in 0..<6 as Range<UInt64> {
                let clicks = (0..<100 as Range<UInt64>).map { number in
                    let at = Timestamp.noon + Int64(batch * 100 + number) * 3000
                    return Occurrence.click(message, reference, at: at).spooled(1 + batch * 100 + number)
                }
                try await storage.interactions.store(clicks, at: .noon)
            }
            let activity = try await storage.activity(of: message)
            #expect(activity.counts[.kind(.pushLinkClicked)].total == 600)
            #expect(activity.counts[.kind(.pushLinkClicked)].people == 1)
            #expect(activity.links.values.map(\.clicks) == [600])
            #expect(activity.links.values.map(\.unique) == [1])
        },
    ]
}

/// Counts all interactions of a message at once, person by person, as reports did before counts were kept.
private struct ActivityOfAll {
    private let madeAt: Timestamp
    private var rows: [MessageActivity.Row] = []

    init(madeAt: Timestamp) { self.madeAt = madeAt }

    mutating func add(_ occurrence: Occurrence) {
        rows.append(
            MessageActivity.Row(
                recipient: occurrence.recipient, kind: occurrence.kind, occurredAt: occurrence.occurredAt,
                link: occurrence.link, visitor: occurrence.visitor.class))
    }

    var counts: ActivityCounts { MessageActivity(of: rows, madeAt: madeAt).counts }
}

extension StorageUnderTest {
    package func report(of message: MessageID) async throws -> MessageCounts {
        try #require(try await reports.counts(of: message, in: acme))
    }
}

extension Occurrence {
    /// One of few links at one of few times, so that bursts and repetitions are frequent.
    static func crowded(
        of message: MessageID, by recipients: [RecipientReference], _ random: inout SeededGenerator
    ) -> Occurrence {
        let kinds: [InteractionKind] = [.pushLinkClicked, .pushLinkClicked, .messageOpened, .pushNotificationClicked]
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let visitors = Visitor.allCases
        let isPerson = Int.random(in: 0..<4, using: &random) > 0
        return Occurrence(
            kind: kind, source: .redirect, occurredAt: .noon + Int64.random(in: 0..<40, using: &random) * 700,
            message: message, recipient: recipients[Int.random(in: 0..<recipients.count, using: &random)],
            link: kind == .pushLinkClicked ? LinkIndex(rawValue: .random(in: 1...4, using: &random)) : .message,
            visitor: isPerson ? .browserAgent : visitors[Int.random(in: 0..<visitors.count, using: &random)])
    }

    static func opening(
        of message: MessageID, by recipient: RecipientReference, _ visitor: Visitor, at instant: Timestamp
    ) -> Occurrence {
        Occurrence(
            kind: .messageOpened, source: .redirect, occurredAt: instant, message: message, recipient: recipient,
            link: .message, visitor: visitor)
    }

    package static func click(
        _ message: MessageID, _ recipient: RecipientReference, link: UInt16, at instant: Timestamp
    ) -> Occurrence {
        Occurrence(
            kind: .pushLinkClicked, source: .redirect, occurredAt: instant, message: message, recipient: recipient,
            link: LinkIndex(rawValue: link), visitor: .browserAgent)
    }

    package func spooled(_ number: UInt64) -> SpooledOccurrence {
        SpooledOccurrence(id: InteractionID(TimeOrderedNumber(known: number)), occurrence: self)
    }
}
