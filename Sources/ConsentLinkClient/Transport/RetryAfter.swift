import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a moment.
///
/// What is further away than a year counts as a year: "not for very long" must not be taken for "at once". A year is more
/// than any pause of a client, which therefore does not ask again by itself.
struct RetryAfter {
    /// From zero to 366 days.
    let duration: Duration

    private static let greatestSeconds = 366 * 86_400

    /// - Returns: `nil` for what is neither.
    init?(_ value: String) { self.init(value, now: Date()) }

    init?(_ value: String, now: Date) {
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than a number has are a long time, too.
            duration = .seconds(min(Int(value) ?? .max, Self.greatestSeconds))
        } else {
            guard let moment = Self.moment(value) else { return nil }
            let seconds = min(max(moment.timeIntervalSince(now), 0), Double(Self.greatestSeconds))
            duration = .milliseconds(Int(seconds * 1000))
        }
    }

    /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func moment(_ text: String) -> Date? {
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
