import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a moment.
struct RetryAfter {
    let duration: Duration

    private static let greatestSeconds = 366 * 86_400

    /// - Returns: `nil` for what is neither.
    init?(_ value: String) { self.init(value, now: Date()) }

    init?(_ value: String, now: Date) {
        if let seconds = Int(value) {
            guard (0...Self.greatestSeconds).contains(seconds) else { return nil }
            duration = .seconds(seconds)
        } else {
            guard let moment = Self.moment(value) else { return nil }
            let seconds = moment.timeIntervalSince(now)
            guard seconds <= Double(Self.greatestSeconds) else { return nil }
            duration = .milliseconds(max(Int(seconds * 1000), 0))
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

extension Duration {
    /// The length in nanoseconds, for the time limits of NIO.
    var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
