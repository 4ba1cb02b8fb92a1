import Foundation
import Identifiers
import TestSupport
import Testing

@Suite struct TimestampTests {
    @Test("moments are ordered and moved by milliseconds, held within the range of the type")
    func arithmetic() {
        let instant = Timestamp(secondsSince1970: 2)
        #expect(instant.millisecondsSince1970 == 2000)
        #expect(instant.advanced(byMilliseconds: -2001).millisecondsSince1970 == -1)
        #expect(instant < instant.advanced(byMilliseconds: 1))
        #expect(Timestamp.distantFuture.advanced(byMilliseconds: 1) == .distantFuture)
        #expect(Timestamp.distantPast.advanced(byMilliseconds: -1) == .distantPast)
        #expect(instant.advanced(byMilliseconds: .max) == .distantFuture)
        #expect(Timestamp(millisecondsSince1970: -2).advanced(byMilliseconds: .min) == .distantPast)
    }

    @Test(
        "a duration moves a moment by its whole milliseconds",
        arguments: [
            (.seconds(2), 2000), (.milliseconds(-5), -5), (.microseconds(1999), 1), (.microseconds(-1999), -1),
            (.seconds(366 * 86_400), 31_622_400_000), (.zero, 0),
        ] as [(Duration, Int64)])
    func duration(_ duration: Duration, _ milliseconds: Int64) {
        let instant = Timestamp(millisecondsSince1970: 7)
        #expect(instant.advanced(by: duration).millisecondsSince1970 == 7 + milliseconds)
        #expect(instant.advanced(by: .seconds(Int64.max)) == .distantFuture)
        #expect(instant.advanced(by: .seconds(Int64.min)) == .distantPast)
    }

    @Test("what RFC 3339 allows is read", arguments: valid)
    func accepted(_ text: String, _ milliseconds: Int64) throws {
        #expect(try Timestamp(rfc3339: text).millisecondsSince1970 == milliseconds)
    }

    @Test("everything else is refused", arguments: invalid)
    func refused(_ text: String) {
        #expect(throws: IdentifierError.timestamp) { try Timestamp(rfc3339: text) }
    }

    @Test(
        "a moment is written in UTC with milliseconds",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
            (1_795_338_000_123, "2026-11-22T09:00:00.123Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ]
    )
    func written(_ milliseconds: Int64, _ text: String) throws {
        let instant = Timestamp(millisecondsSince1970: milliseconds)
        #expect(instant.rfc3339 == text)
        #expect(instant.description == text)
        #expect(try Timestamp(rfc3339: text) == instant)
    }

    @Test(
        "a moment that four-digit years cannot say is shown as the nearest that they can",
        arguments: [
            (Int64.min, "0001-01-01T00:00:00.000Z"), (-62_135_596_800_001, "0001-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
        ]
    )
    func beyond(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(millisecondsSince1970: milliseconds).rfc3339 == text)
    }

    @Test("100,000 random moments of all years come back as they were, and in their order as text")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 1)
        var previous = Timestamp(millisecondsSince1970: 0)
        for _ in 0..<100_000 {
            let instant = Timestamp(
                millisecondsSince1970: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator))
            let text = instant.rfc3339
            guard try Timestamp(rfc3339: text) == instant, text.utf8.count == 24,
                (text < previous.rfc3339) == (instant < previous)
            else {
                Issue.record("\(instant.millisecondsSince1970) was written as \(text)")
                return
            }
            previous = instant
        }
    }

    @Test("every day from 1900 to 2100 follows the one before")
    func everyDay() throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var days = try Timestamp(rfc3339: "1900-01-01T00:00:00Z").millisecondsSince1970 / 86_400_000
        for year in 1900...2100 {
            let isLeap = year % 4 == 0 && year != 1900 && year != 2100
            for month in 1...12 {
                for day in 1...(lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)) {
                    let text = "\(year)-\(padded(month))-\(padded(day))T00:00:00.000Z"
                    #expect(try Timestamp(rfc3339: text).millisecondsSince1970 == days * 86_400_000)
                    #expect(Timestamp(millisecondsSince1970: days * 86_400_000).rfc3339 == text)
                    days += 1
                }
            }
        }
    }

    @Test("Foundation reads and writes the same, since the calendar reform")
    func foundation() throws {
        var generator = SeededGenerator(seed: 2)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -11_000_000_000..<253_402_300_800, using: &generator)
            let instant = Timestamp(secondsSince1970: seconds)
            let written = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
            #expect(written == instant.rfc3339.replacing(".000Z", with: "Z"))
            #expect(try style.parse(written).timeIntervalSince1970 == Double(seconds))
            #expect(try Timestamp(rfc3339: written) == instant)
        }
    }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static let valid: [(String, Int64)] = [
        ("2026-11-20T09:00:00.000Z", 1_795_165_200_000), ("2026-11-20T09:00:00Z", 1_795_165_200_000),
        ("2026-11-20t09:00:00z", 1_795_165_200_000), ("2026-11-20T10:00:00+01:00", 1_795_165_200_000),
        ("2026-11-20T03:30:00-05:30", 1_795_165_200_000), ("2026-11-20T09:00:00-00:00", 1_795_165_200_000),
        ("2026-11-20T09:00:00+00:00", 1_795_165_200_000), ("2026-11-21T08:59:00+23:59", 1_795_165_200_000),
        ("2026-11-19T09:01:00-23:59", 1_795_165_200_000),
        // Fractions: three digits are kept.
        ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.01Z", 10), ("1970-01-01T00:00:00.001Z", 1),
        ("1970-01-01T00:00:00.0009Z", 0), ("1970-01-01T00:00:00.1239Z", 123), ("1970-01-01T00:00:00.999999999Z", 999),
        ("1969-12-31T23:59:59.999Z", -1), ("1969-12-31T23:59:59.9999Z", -1),
        ("1970-01-01T00:00:00.\(String(repeating: "9", count: 1000))Z", 999),
        // The examples of RFC 3339, 5.8.
        ("1985-04-12T23:20:50.52Z", 482_196_050_520), ("1996-12-19T16:39:57-08:00", 851_042_397_000),
        ("1990-12-31T23:59:60Z", 662_687_999_999), ("1990-12-31T15:59:60-08:00", 662_687_999_999),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
        // A leap second is the last millisecond before it, so that what comes after it is later.
        ("2016-12-31T23:59:60Z", 1_483_228_799_999), ("2016-12-31T23:59:60.900Z", 1_483_228_799_999),
        ("2016-12-31T23:59:59.999Z", 1_483_228_799_999), ("2017-01-01T00:00:00.000Z", 1_483_228_800_000),
        ("2017-01-01T05:29:60+05:30", 1_483_228_799_999),
        // Leap days.
        ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2400-02-29T00:00:00Z", 13_574_563_200_000), ("2023-02-28T23:59:59Z", 1_677_628_799_000),
        ("1900-03-01T00:00:00Z", -2_203_891_200_000), ("1900-02-28T00:00:00Z", -2_203_977_600_000),
        // The ends of what four digits can say, in UTC.
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("0000-12-31T23:30:00-01:00", -62_135_595_000_000), ("9999-12-31T23:59:59+00:01", 253_402_300_739_000),
        ("9999-12-31T23:59:60Z", 253_402_300_799_999),
    ]

    static let invalid = [
        "", "Z", "2026", "2026-11-20", "09:00:00Z", "2026-11-20T09:00:00", "2026-11-20 09:00:00Z",
        "2026-11-20T09:00Z", "2026-11-20T09Z", "20261120T090000Z", "2026-324T09:00:00Z", "2026-W47-5T09:00:00Z",
        " 2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z ", "2026-11-20T09:00:00Z\n", "2026-11-20T09:00:00ZZ",
        "2026-11-20T09:00:00Z+01:00", "2026-11-20T09:00:00+01:00Z", "2026-11-20T09:00:00 Z",
        // A field out of its range.
        "2026-00-20T09:00:00Z", "2026-13-20T09:00:00Z", "2026-11-00T09:00:00Z", "2026-11-31T09:00:00Z",
        "2026-01-32T09:00:00Z", "2026-04-31T09:00:00Z", "2026-06-31T09:00:00Z", "2026-09-31T09:00:00Z",
        "2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
        "2026-11-20T24:00:00Z", "2026-11-20T09:60:00Z", "2026-11-20T09:00:61Z", "2026-11-20T99:00:00Z",
        // A leap second is the last of a day in UTC.
        "2026-11-20T09:00:60Z", "2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00",
        // Too few digits, too many, and others than ASCII's.
        "26-11-20T09:00:00Z", "02026-11-20T09:00:00Z", "+2026-11-20T09:00:00Z", "-2026-11-20T09:00:00Z",
        "12026-11-20T09:00:00Z", "2026-1-20T09:00:00Z", "2026-11-2T09:00:00Z", "2026-11-20T9:00:00Z",
        "2026-11-20T09:0:00Z", "2026-11-20T09:00:0Z", "２026-11-20T09:00:00Z", "٢٠٢٦-11-20T09:00:00Z",
        "2026-11-20T09:00:-1Z", "2026-11-20T09:+1:00Z", "2026-11-20T 9:00:00Z",
        // Other marks between the fields.
        "2026/11/20T09:00:00Z", "2026-11-20T09.00.00Z", "2026\u{2010}11-20T09:00:00Z", "2026-11-20_09:00:00Z",
        "2026-11-20T09:00:00,123Z", "2026-11-20T09:00:00.Z", "2026-11-20T09:00:00.+01:00", "2026-11-20T09:00:00.1.2Z",
        "2026-11-20T09:00:00.12aZ", "2026-11-20T09:00:00.-1Z",
        // Offsets.
        "2026-11-20T09:00:00+0100", "2026-11-20T09:00:00+01", "2026-11-20T09:00:00+1:00", "2026-11-20T09:00:00+24:00",
        "2026-11-20T09:00:00+01:60", "2026-11-20T09:00:00-24:00", "2026-11-20T09:00:00+", "2026-11-20T09:00:00-",
        "2026-11-20T09:00:00\u{2212}01:00", "2026-11-20T09:00:00UTC", "2026-11-20T09:00:00+01:00:00",
        "2026-11-20T09:00:00+01:0",
        // Years that the service cannot write.
        "0000-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ]
}
