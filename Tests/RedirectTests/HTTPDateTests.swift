import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Redirect

@Suite struct HTTPDateTests {
    private func text(_ date: HTTPDate) -> String { String(decoding: date.bytes, as: UTF8.self) }

    @Test(
        "a moment as HTTP writes it",
        arguments: [
            ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("2024-02-29T23:59:59.999Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
            ("2026-12-31T23:59:59Z", "Thu, 31 Dec 2026 23:59:59 GMT"),
            ("2027-01-01T00:00:00Z", "Fri, 01 Jan 2027 00:00:00 GMT"),
        ]
    )
    func writes(_ instant: String, _ expected: String) throws {
        var date = HTTPDate()
        date.update(to: try Timestamp(rfc3339: instant))
        #expect(text(date) == expected)
    }

    @Test("it follows the clock, forward and back, and Foundation writes the same")
    func follows() {
        var date = HTTPDate()
        var generator = SeededGenerator(seed: 1)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for _ in 0..<500 {
            let seconds = Int64.random(in: 0..<4_102_444_800, using: &generator)
            date.update(to: Timestamp(secondsSince1970: seconds))
            #expect(text(date) == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
        }
    }

    @Test("a clock before 1970 is no reason to fail", arguments: [Int64.min, -86_400_001, -1])
    func wrongClock(_ milliseconds: Int64) {
        var date = HTTPDate()
        date.update(to: Timestamp(millisecondsSince1970: milliseconds))
        #expect(text(date) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
