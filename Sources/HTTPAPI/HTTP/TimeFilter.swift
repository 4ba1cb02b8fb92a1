import Identifiers
import JSON

/// The members `from` and `to` of a request for a list.
struct TimeFilter {
    static let backwards = "must not be before from"

    /// Inclusive.
    let from: Timestamp?
    /// Exclusive.
    let to: Timestamp?

    /// Whether nothing can be in this time because the two are exchanged.
    var isBackwards: Bool {
        guard let from, let to else { return false }
        return to < from
    }
}

extension QueryReader {
    /// - Throws: 422 at `to` if it is before `from`: the list would be empty, as if there were nothing.
    mutating func takeTimes() throws -> TimeFilter {
        let times = TimeFilter(
            from: try take("from", Timestamp.init(rfc3339:)), to: try take("to", Timestamp.init(rfc3339:)))
        guard !times.isBackwards else { throw Problem(query: "to", TimeFilter.backwards) }
        return times
    }
}

extension ObjectReader {
    /// The same, for a body. A `to` before `from` is one of the problems that `finish()` throws.
    mutating func times() -> TimeFilter {
        let times = TimeFilter(
            from: optional("from", .string(Timestamp.init(rfc3339:))),
            to: optional("to", .string(Timestamp.init(rfc3339:))))
        if times.isBackwards { refuse("to", TimeFilter.backwards) }
        return times
    }
}
