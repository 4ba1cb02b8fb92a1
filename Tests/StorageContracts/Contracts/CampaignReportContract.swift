import Consent
import Identifiers
import Interactions
import Messages
import Reports
import TestSupport
import Testing

/// What every `ReportStore` promises about several messages.
package enum CampaignReportContract {
    package static let promises: [Promise] = [
        Promise("a person in several messages is one person, and decisions add up") { storage in
            let (spring, autumn) = (try await storage.message(), try await storage.message("autumn"))
            try await storage.decide([(.ana, .noConsentRecord), (.bo, .noConsentRecord)], of: spring)
            let reference = try await storage.reference(of: .ana, message: autumn)
            try await storage.decide([(.bo, .consentRefused)], of: autumn)
            try await storage.interactions.store([.click(1, autumn, reference)], at: .noon)
            let counts = try await storage.campaign()
            #expect(counts.messages == 2)
            #expect(counts.decisions == [.noConsentRecord: 2, .consentGiven: 1, .consentRefused: 1])
            #expect(counts.figures.composed == 2 && counts.figures.tracked[.clicks] == 1)
            #expect(counts.figures.untracked[.clicks] == [.consentRefused: 1])
            #expect(counts.figures.responders?.clickers == 1)
            #expect(counts.activity[.kind(.pushLinkClicked)].total == 1)
        },
        Promise("who responded to several messages is one clicker and one opener") { storage in
            let messages = [try await storage.message(), try await storage.message("autumn")]
            var number: UInt64 = 0
            for message in messages {
                for person in [try RecipientID.ana, try .bo] {
                    let reference = try await storage.reference(of: person, message: message)
                    for kind in [InteractionKind.pushLinkClicked, .messageOpened] {
                        number += 1
                        let done = Occurrence(
                            kind: kind, source: .redirect, occurredAt: .noon, message: message, recipient: reference,
                            link: LinkIndex(rawValue: 1), visitor: .browserAgent)
                        try await storage.interactions.store([done.spooled(number)], at: .noon)
                    }
                }
            }
            let counts = try await storage.campaign()
            #expect(counts.figures.responders?.clickers == 2 && counts.figures.responders?.openers == 2)
            #expect(counts.figures.tracked[.clicks] == 2)
            #expect(counts.activity[.kind(.pushLinkClicked)].total == 4)
        },
        Promise("it is about the messages made in its time, and about no other organization's") { storage in
            let message = try await storage.message()
            try await storage.decide([(.ana, .noConsentRecord)], of: message)
            _ = try await storage.message("theirs", in: storage.globex)
            for (from, to, messages) in [
                (Timestamp.noon, .noon + 1, 1), (.noon + -1, .noon, 0), (.noon + 1, .noon + 9, 0),
            ] {
                let counts = try await storage.campaign(from: from, to: to)
                #expect(counts.messages == messages)
                #expect(counts.figures.composed == messages)
            }
            #expect(try await storage.campaign(of: storage.globex).figures.composed == 0)
            #expect(try await storage.campaign(of: OrganizationID("nobody")).messages == 0)
        },
        Promise("with a tag it is about the messages that have the tag") { storage in
            var tagged = Message(name: "tagged")
            tagged.tags = [try MessageTag("spring"), try MessageTag("vip")]
            let message = try await storage.messages.save(tagged, in: storage.acme, at: .noon).message.id
            try await storage.decide([(.ana, .noConsentRecord)], of: message)
            try await storage.decide([(.bo, .noConsentRecord)], of: try await storage.message())
            for (tag, people) in [("spring", 1), ("vip", 1), ("Spring", 0)] {
                let counts = try await storage.campaign(tag: MessageTag(tag))
                #expect(counts.messages == people && counts.figures.composed == people, "\(tag)")
            }
            #expect(try await storage.campaign().figures.composed == 2)
        },
        Promise("of many messages to many people it says what a set of people says") { storage in
            var random = SeededGenerator(seed: 5)
            let people = try (0..<5000).map { try RecipientID("person\($0)@people.example") }
            var tracked: Set<RecipientID> = []
            var composed: Set<RecipientID> = []
            var clicked: Set<RecipientID> = []
            var number: UInt64 = 0
            for count in 0..<5 {
                let message = try await storage.message("message \(count)")
                let chosen = people.shuffled(using: &random).prefix(1500)
                let decisions = chosen.map { ($0, Bool.random(using: &random)) }
                let recorded = try await storage.decide(
                    decisions.map { ($0.0, $0.1 ? .consentGiven : .noConsentRecord) }, of: message)
                for ((person, isTracked), decision) in zip(decisions, recorded) where isTracked {
                    tracked.insert(person)
                    guard Int.random(in: 0..<4, using: &random) == 0, let reference = decision.reference else {
                        continue
                    }
                    clicked.insert(person)
                    number += 1
                    try await storage.interactions.store([.click(number, message, reference)], at: .noon)
                }
                composed.formUnion(chosen)
            }
            let figures = try await storage.campaign().figures
            #expect(figures.composed == composed.count)
            #expect(figures.tracked[.clicks] == tracked.count)
            #expect(figures.untracked[.clicks] == [.noConsentRecord: composed.count - tracked.count])
            #expect(figures.responders?.clickers == clicked.count)
        },
        Promise("who is untracked in several counts under the reason of the message that was made last") { storage in
            let (spring, autumn) = (try await storage.message(), try await storage.message("autumn"))
            try await storage.decide([(.ana, .consentExpired)], of: autumn)
            try await storage.decide([(.ana, .consentWithdrawn)], of: spring, at: .noon + 60_000)
            #expect(try await storage.campaign().figures.untracked[.clicks] == [.consentExpired: 1])
        },
        Promise("opens are measured where they are of every message that somebody is tracked in") { storage in
            var mail = Message(name: "mail")
            mail.openTracking = true
            let measured = try await storage.messages.save(mail, in: storage.acme, at: .noon).message.id
            let reference = try await storage.reference(of: .ana, message: measured)
            #expect(try await storage.report(of: measured).tracksOpens)
            #expect(try await storage.campaign().figures.openers == 0)
            let push = try await storage.message()
            try await storage.decide([(.bo, .noConsentRecord)], of: push)
            #expect(try await storage.report(of: push).measuresOpens == false)
            #expect(try await storage.campaign().figures.openers == 0, "nobody is tracked in the other one")
            _ = try await storage.reference(of: .ana, message: push)
            let mixed = try await storage.campaign().figures
            #expect(mixed.openers == nil && mixed.openRate == Rate(nil, of: 1) && mixed.responders?.clickers == 0)
            let open = Occurrence(
                kind: .pushNotificationOpened, source: .bird, occurredAt: .noon, message: push, recipient: reference,
                link: .message, visitor: .deviceReport)
            try await storage.interactions.store([open.spooled(1)], at: .noon)
            #expect(try await storage.campaign().figures.openers == 1, "an app that reports is measured by")
        },
        Promise("who was erased counts once for each message, and of one message it says what its own report says") {
            storage in
            let spring = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: spring)
            try await storage.decide([(.bo, .noConsentRecord)], of: spring)
            try await storage.interactions.store([.click(1, spring, reference)], at: .noon)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            let one = try await storage.campaign()
            #expect(one.figures == (try await storage.report(of: spring)).figures)

            let autumn = try await storage.message("autumn")
            try await storage.decide([(.ana, .recipientErased), (.bo, .noConsentRecord)], of: autumn)
            let two = try await storage.campaign()
            #expect(two.figures.composed == 3)
            #expect(two.figures.tracked[.clicks] == 1 && two.figures.responders?.clickers == 1)
            #expect(two.figures.untracked[.clicks] == [.recipientErased: 1, .noConsentRecord: 1])
        },
    ]
}

extension StorageUnderTest {
    func campaign(
        of organization: OrganizationID? = nil, from: Timestamp = .noon, to: Timestamp = .noon + 86_400_000,
        tag: MessageTag? = nil
    ) async throws -> CampaignCounts {
        let selection = try ReportSelection(from: from, to: to, tag: tag, now: .noon)
        return try await reports.counts(of: selection, in: organization ?? acme)
    }
}
