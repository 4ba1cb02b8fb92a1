import Consent
import Identifiers

/// The part of a timeline that one page shows, and the addresses of the others.
struct TimelinePart {
    private static let size = 50
    private static let dayMember = "day"
    private static let pageMember = "page"
    /// Selects the page that has this consent record.
    private static let recordMember = "consent"

    /// The path of the case.
    private let path: String
    /// The day as the query writes it; `nil` for every day.
    private let day: String?
    private let events: [TimelineEvent]
    /// The number of the page, from 0.
    private let number: Int
    /// The place of each consent record among the events.
    private let places: [ConsentRecordID: Int]

    /// - Parameters:
    ///   - day: the day of the events, as the query writes it; `nil` for every day.
    ///   - number: the number of the page, from 1; `nil` if the query has none.
    ///   - record: the consent record whose page is shown if the query has no number.
    init(of events: [TimelineEvent], path: String, day: String?, number: Int?, record: ConsentRecordID?) {
        self.path = path
        self.day = day
        self.events = events
        var places: [ConsentRecordID: Int] = [:]
        for (place, event) in events.enumerated() {
            if case .consent(let record) = event.content { places[record.id] = place }
        }
        self.places = places
        let place = record.flatMap { places[$0] } ?? 0
        self.number = number.map { $0 - 1 } ?? place / Self.size
    }

    var shown: ArraySlice<TimelineEvent> { events.dropFirst(number * Self.size).prefix(Self.size) }

    var newer: String? { number > 0 ? address(ofPage: number - 1) : nil }

    var older: String? { (number + 1) * Self.size < events.count ? address(ofPage: number + 1) : nil }

    private func address(ofPage number: Int) -> String {
        ConsoleCall.address(path, dayMembers + [(Self.pageMember, String(number + 1))])
    }

    private var dayMembers: [(String, String)] { day.map { [(Self.dayMember, $0)] } ?? [] }

    static func anchor(of record: ConsentRecordID) -> String { "consent-\(record)" }

    /// A link to a consent record: on this page, on another page of the same days, or, if the day excludes it, on a
    /// page of all days.
    func link(to record: ConsentRecordID) -> String {
        let anchor = "#" + Self.anchor(of: record)
        guard let place = places[record] else {
            return ConsoleCall.address(path, [(Self.recordMember, record.description)]) + anchor
        }
        return place / Self.size == number ? anchor : address(ofPage: place / Self.size) + anchor
    }
}
