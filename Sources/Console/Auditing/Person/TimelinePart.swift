import Consent
import Identifiers

/// The part of a timeline that one page shows, and the addresses of the others.
struct TimelinePart {
    private static let size = 50
    private static let dayMember = "day"
    private static let pageMember = "page"
    /// Shows the page on which this consent record stands.
    private static let recordMember = "consent"

    /// Of the case.
    private let path: String
    /// As the query writes it; `nil` for every day.
    private let day: String?
    private let events: [TimelineEvent]
    /// From 0.
    private let number: Int
    /// Where each consent record stands among the events.
    private let places: [ConsentRecordID: Int]

    /// - Parameters:
    ///   - day: of the events, as the query writes it; `nil` for every day.
    ///   - number: of the page, from 1; `nil` where it is not asked for.
    ///   - record: which stands on the page where no number is asked for.
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

    /// Leads to a consent record: on this page, on another page of the same days, or, where the day hides it, on a page
    /// of all days.
    func link(to record: ConsentRecordID) -> String {
        let anchor = "#" + Self.anchor(of: record)
        guard let place = places[record] else {
            return ConsoleCall.address(path, [(Self.recordMember, record.description)]) + anchor
        }
        return place / Self.size == number ? anchor : address(ofPage: place / Self.size) + anchor
    }
}
