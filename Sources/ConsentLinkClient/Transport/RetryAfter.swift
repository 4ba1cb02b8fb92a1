import ASCII
import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a moment.
///
/// A time that is more than a year away counts as a year: it must not be taken for "at once". A year is longer than any
/// pause of a client, so the client does not retry by itself.
struct RetryAfter {
    /// From zero to 366 days.
    let duration: Duration

    private static let maximumSeconds = 366 * 86_400

    /// - Parameter now: by the clock that the moment is of: the `Date` of the answer, if it has one.
    /// - Returns: `nil` if `value` is neither.
    init?(_ value: String, now: Date) {
        if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
            // A number with too many digits is a long time, too.
            duration = .seconds(min(Int(value) ?? .max, Self.maximumSeconds))
        } else {
            guard let moment = Self.moment(value) else { return nil }
            let seconds = min(max(moment.timeIntervalSince(now), 0), Double(Self.maximumSeconds))
            duration = .milliseconds(Int(seconds * 1000))
        }
    }

    /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func moment(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
        return WireTime.date("\(parts[3])-\(number)-\(parts[1])T\(parts[4]).000Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
