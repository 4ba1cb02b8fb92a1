import Identifiers
import Reports
import TestSupport
import Testing

@Suite struct ReportSelectionTests {
    private static let day: Int64 = 86_400_000

    @Test("without times it is about the last 30 days")
    func standard() throws {
        let selection = try ReportSelection(from: nil, to: nil, now: .noon)
        #expect(selection.to == .noon)
        #expect(selection.from == .noon + -30 * Self.day)
        let before = try ReportSelection(from: nil, to: .noon + -Self.day, now: .noon)
        #expect(before.from == .noon + -31 * Self.day)
    }

    @Test("no day before the year 1 is in one", arguments: [("0001-01-01T00:00:00Z", 0), ("0001-01-11T00:00:00Z", 10)])
    func beginning(_ to: String, _ days: Int64) throws {
        let to = try Timestamp(rfc3339: to)
        let selection = try ReportSelection(from: nil, to: to, now: .noon)
        #expect(selection.from == to + -days * Self.day)
        #expect(ConsentReportSelection(selection, purpose: nil, now: .noon).days.count == Int(days))
    }

    @Test("366 days are the longest, and a time does not go backwards")
    func limits() throws {
        let longest = try ReportSelection(from: .noon, to: .noon + 366 * Self.day, now: .noon)
        #expect(longest.to == .noon + 366 * Self.day)
        #expect(try ReportSelection(from: .noon, to: .noon, now: .noon).from == .noon)
        #expect(throws: ReportSelectionError.tooLong) {
            try ReportSelection(from: .noon, to: .noon + 366 * Self.day + 1, now: .noon)
        }
        #expect(throws: ReportSelectionError.backwards) {
            try ReportSelection(from: .noon, to: .noon + -1, now: .noon)
        }
        #expect(throws: ReportSelectionError.backwards) { try ReportSelection(from: .noon + 1, to: nil, now: .noon) }
        #expect(throws: ReportSelectionError.tooLong) {
            try ReportSelection(from: .distantPast, to: .distantFuture, now: .noon)
        }
    }

    @Test(
        "what is wrong is said of the time that was given",
        arguments: [
            (ReportSelectionError.backwards, "must not be before from", "must not be later than now"),
            (.tooLong, "must be at most 366 days after from", "must be at most 366 days ago"),
        ])
    func words(_ error: ReportSelectionError, _ ofTo: String, _ ofFrom: String) {
        #expect(error.description == ofTo)
        #expect(error.descriptionOfFrom == ofFrom)
    }

    @Test("too many messages are too many, whichever time was given")
    func tooMany() {
        let error = ReportSelectionError.tooManyMessages
        #expect(error.description.contains("10,000") && error.descriptionOfFrom == error.description)
        let people = ReportSelectionError.tooManyPeople
        #expect(people.description.contains("shorter time") && people.description.contains("tag"))
        #expect(people.descriptionOfFrom == people.description)
    }
}
