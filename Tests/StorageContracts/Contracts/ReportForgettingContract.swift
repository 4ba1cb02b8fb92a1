import Consent
import Identifiers
import Interactions
import Organizations
import Reports
import TestSupport
import Testing

/// What every `ReportStore` promises of people who are erased or whom retention forgets.
package enum ReportForgettingContract {
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = [
        Promise("erasing changes no count; the person counts as another one when they come back") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            try await storage.interactions.store([.click(1, message, reference)], at: .noon)
            let before = try await storage.report(of: message)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            let after = try await storage.report(of: message)
            #expect(after.people == before.people)
            #expect(after.activity.counts == before.activity.counts)

            try await storage.record(.given, for: .ana)
            let again = try await storage.reference(of: .ana, message: message)
            try await storage.interactions.store([.click(2, message, again)], at: .noon)
            let back = try await storage.report(of: message)
            #expect(back.people[.clicks] == [.consentGiven: 2])
            #expect(back.figures.responders?.clickers == 2)
        },
        Promise("decisions about erased people count each as a person, for nothing tells them apart") { storage in
            let message = try await storage.message()
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            try await storage.decide([(.ana, .recipientErased), (.ana, .recipientErased)], of: message)
            #expect(try await storage.report(of: message).people[.clicks] == [.recipientErased: 2])
        },
        Promise("retention changes no count; who is composed after it counts as another person") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let number = TimeOrderedNumber.lowerBound(at: .noon) + 1
            try await storage.interactions.store([.click(number, message, reference)], at: .noon)
            let before = try await storage.report(of: message)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .days(1)))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            let purge = try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 9)
            #expect(purge.decisions == 1 && purge.interactions == 1)
            let after = try await storage.report(of: message)
            #expect(after.people == before.people && after.decisions == before.decisions)
            #expect(after.activity.counts == before.activity.counts)

            try await storage.decide([(.ana, .noConsentRecord)], of: message, at: .noon + 2 * day)
            #expect(try await storage.report(of: message).people[.clicks] == [.consentGiven: 1, .noConsentRecord: 1])
        },
        Promise("who did something that is still stored does not count again after retention") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let later = Timestamp.noon + 2 * day
            func click(_ number: UInt64, at instant: Timestamp) -> SpooledOccurrence {
                .click(TimeOrderedNumber.lowerBound(at: instant) + number, message, reference, at: instant)
            }
            try await storage.interactions.store([click(1, at: .noon)], at: .noon)
            try await storage.interactions.store([click(1, at: later)], at: later)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            _ = try await storage.purge(storage.acme, at: later, limit: 9)
            try await storage.interactions.store([click(2, at: later)], at: later)
            let clicks = try await storage.activity(of: message).counts[.kind(.pushLinkClicked)]
            #expect(clicks.total == 3)
            #expect(clicks.people == 1)
        },
        Promise("once interactions were deleted, nobody is counted anew, and several messages do not say how many") {
            storage in
            let message = try await storage.message()
            let other = try await storage.message("other")
            let reference = try await storage.reference(of: .ana, message: message)
            let later = Timestamp.noon + 2 * day
            func open(_ number: UInt64, by visitor: Visitor, at instant: Timestamp) -> SpooledOccurrence {
                Occurrence.opening(of: message, by: reference, visitor, at: instant)
                    .spooled(TimeOrderedNumber.lowerBound(at: instant) + number)
            }
            try await storage.interactions.store([open(1, by: .browserAgent, at: .noon)], at: .noon)
            try await storage.interactions.store([open(1, by: .gmailImageProxy, at: later)], at: later)
            #expect(try await storage.report(of: message).peopleCountedUntil == nil)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            _ = try await storage.purge(storage.acme, at: later, limit: 9)
            try await storage.interactions.store([open(2, by: .browserAgent, at: later)], at: later)
            let report = try await storage.report(of: message)
            #expect(report.peopleCountedUntil == later)
            #expect(report.activity.openers == 1 && report.activity.possibleOpeners == 0)
            #expect(report.activity.counts[.kind(.messageOpened)].total == 3)
            #expect(report.figures.responders == nil)
            #expect(try await storage.report(of: other).peopleCountedUntil == nil)
            let campaign = try await storage.campaign()
            #expect(campaign.figures.responders == nil && campaign.figures.tracked[.clicks] == 1)
        },
        Promise("rates stay once interactions were deleted, until people act later who may not be counted") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let later = Timestamp.noon + 2 * day
            func click(_ number: UInt64, _ visitor: Visitor, at instant: Timestamp = later) async throws {
                let click = Occurrence(
                    kind: .pushLinkClicked, source: .redirect, occurredAt: instant, message: message,
                    recipient: reference, link: LinkIndex(rawValue: 1), visitor: visitor)
                let id = TimeOrderedNumber.lowerBound(at: instant) + number
                try await storage.interactions.store([click.spooled(id)], at: instant)
            }
            func responders() async throws -> [Responders?] {
                let figures = try await storage.reports.figures(of: [message], in: storage.acme)
                let report = try await storage.report(of: message)
                return [report.figures.responders, figures[message]?.responders]
            }
            try await click(1, .browserAgent, at: .noon)
            let before = try await responders()
            #expect(before.allSatisfy { $0?.clickers == 1 })
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            #expect(try await storage.purge(storage.acme, at: later, limit: 9).interactions == 1)
            #expect(try await responders() == before)
            try await click(2, .scannerAgent)
            #expect(try await responders() == before)
            try await click(3, .browserAgent)
            #expect(try await responders() == [nil, nil])
        },
        Promise("while a stored decision names a recipient, a new one is about the same person") { storage in
            let message = try await storage.message()
            try await storage.decide([(.ana, .consentGiven)], of: message, at: .noon)
            try await storage.decide([(.ana, .consentGiven)], of: message, at: .noon + 2 * day)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .forever, decisions: .days(1)))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            #expect(try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 9).decisions == 1)
            try await storage.decide([(.ana, .consentGiven)], of: message, at: .noon + 2 * day)
            #expect(try await storage.report(of: message).people[.clicks] == [.consentGiven: 1])
        },
    ]
}
