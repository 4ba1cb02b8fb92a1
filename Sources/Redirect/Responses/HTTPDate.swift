package import Identifiers

/// The value of `Date` for one second (RFC 9110, 6.6.1), written once for all answers of that second.
package struct HTTPDate: Sendable {
    private var second: Int64 = .min
    /// `Sat, 21 Nov 2026 09:00:00 GMT`
    package private(set) var bytes: [UInt8] = []

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package init() {}

    /// - Returns: whether the value has changed.
    @discardableResult
    package mutating func update(to now: Timestamp) -> Bool {
        // A clock before 1970 is wrong, but readers must still be redirected.
        let now = max(now, Timestamp(millisecondsSince1970: 0))
        let current = now.millisecondsSince1970 / 1000
        guard current != second else { return false }
        second = current
        // 2026-11-21T09:00:00.000Z has the date already.
        let text = Array(now.rfc3339.utf8)
        let month = Int(text[5] - UInt8(ascii: "0")) * 10 + Int(text[6] - UInt8(ascii: "0"))
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: Self.days[Int(current / 86_400 % 7)].utf8)
        bytes.append(contentsOf: ", ".utf8)
        bytes.append(contentsOf: text[8..<10])
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: Self.months[month - 1].utf8)
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: text[0..<4])
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: text[11..<19])
        bytes.append(contentsOf: " GMT".utf8)
        return true
    }
}
