import ASCII
import Foundation

/// Times as the service writes them: RFC 3339 in UTC with milliseconds.
enum WireTime {
    private static let millisecondsADay: Int64 = 86_400_000

    /// The milliseconds since 1970 of the years with four digits.
    private static let writable = -62_167_219_200_000.0..<253_402_300_800_000.0

    /// Such as `2026-11-20T09:00:00.000Z`; to the nearest millisecond.
    ///
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` if it is not in the years 0 to 9999.
    static func text(_ date: Date) throws(ConsentLinkError) -> String {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        guard writable.contains(rounded) else { throw .invalidArgument("a time must be of the years 0 to 9999") }
        let milliseconds = Int64(rounded)
        let day = milliseconds.flooredDivision(by: millisecondsADay)
        let rest = milliseconds - day * millisecondsADay
        let (year, month, dayOfMonth) = civil(day)
        let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60)
        return "\(padded(year, 4))-\(padded(month))-\(padded(dayOfMonth))"
            + "T\(padded(hour)):\(padded(minute)):\(padded(second)).\(padded(rest % 1000, 3))Z"
    }

    /// - Returns: `nil` if the service does not write `text` like this.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[23] == UInt8(ascii: "Z") else { return nil }
        for (place, separator) in zip([4, 7, 10, 13, 16, 19], "--T::.".utf8) where bytes[place] != separator {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].allSatisfy(\.isDigit) ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<23),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds * 1000 + fraction) / 1000)
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, chrono-compatible date algorithms).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredDivision(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = days.flooredDivision(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
