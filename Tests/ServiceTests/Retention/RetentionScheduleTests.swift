import Consent
import Identifiers
import Organizations
import TestSupport
import Testing

@testable import Service

@Suite struct RetentionScheduleTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    private func organization(days: Int? = 30, askAgain: Int = 90) throws -> Organization {
        Organization(
            id: try OrganizationID("acme"), name: "acme", enforcement: .restrictive,
            retention: Retention(interactionsDays: days, decisionsDays: nil), askAgainAfterDays: askAgain)
    }

    @Test("an organization is looked at first, and then when something is due, and once an hour in any case")
    func due() throws {
        let acme = try organization()
        var schedule = RetentionSchedule()
        #expect(schedule.isTime(for: acme, at: .noon))
        schedule.noteLook(at: acme, nextDue: .noon + 5 * Self.minute, at: .noon)
        #expect(!schedule.isTime(for: acme, at: .noon + 5 * Self.minute + -1))
        #expect(schedule.isTime(for: acme, at: .noon + 5 * Self.minute))
        for nextDue in [nil, Timestamp.noon + 100 * Self.hour] {
            schedule.noteLook(at: acme, nextDue: nextDue, at: .noon)
            #expect(!schedule.isTime(for: acme, at: .noon + Self.hour + -1))
            #expect(schedule.isTime(for: acme, at: .noon + Self.hour))
        }
    }

    @Test("what is due and was not deleted is looked at in each round, and after a deletion there is a pause")
    func pause() throws {
        let acme = try organization()
        var schedule = RetentionSchedule()
        schedule.noteLook(at: acme, nextDue: .noon + -Self.hour, at: .noon)
        #expect(schedule.isTime(for: acme, at: .noon))
        schedule.noteLook(at: acme, nextDue: .noon + Self.minute, hasDeleted: true, at: .noon)
        #expect(!schedule.isTime(for: acme, at: .noon + 15 * Self.minute + -1))
        #expect(schedule.isTime(for: acme, at: .noon + 15 * Self.minute))
    }

    @Test("other settings, a clock that went back and another node's work are looked at, at once")
    func changed() throws {
        let acme = try organization()
        var schedule = RetentionSchedule()
        schedule.noteLook(at: acme, nextDue: nil, at: .noon)
        #expect(!schedule.isTime(for: acme, at: .noon))
        #expect(schedule.isTime(for: try organization(days: 29), at: .noon))
        #expect(schedule.isTime(for: try organization(days: nil), at: .noon))
        #expect(schedule.isTime(for: try organization(askAgain: 91), at: .noon))
        #expect(schedule.isTime(for: acme, at: .noon + -1))
        schedule.forget()
        #expect(schedule.isTime(for: acme, at: .noon))
    }
}
