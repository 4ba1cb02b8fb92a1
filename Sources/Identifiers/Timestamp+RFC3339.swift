import ASCII

extension Timestamp {
    /// The times with four-digit years: 0001-01-01 up to 9999-12-31.
    private static let writable =
        Timestamp(
            millisecondsSince1970: -62_135_596_800_000)..<Timestamp(
            millisecondsSince1970: 253_402_300_800_000)

    /// The earliest time that can be written: the beginning of the year 1.
    package static var earliestWritable: Timestamp { writable.lowerBound }

    /// Reads an RFC 3339 date-time with any offset and any number of fraction digits, of which three are kept.
    ///
    /// A leap second (23:59:60 in UTC, in any offset) is read as the last millisecond before it: no time within it is
    /// later than one after it. Lower-case `t` and `z` are allowed, as in RFC 3339.
    package init(rfc3339 text: String) throws(IdentifierError) {
        var scanner = DateTimeScanner(bytes: Array(text.utf8))
        guard let instant = scanner.scan(), Self.writable.contains(instant) else { throw .timestamp }
        self = instant
    }

    /// The time as `2026-11-20T09:00:00.000Z`; a time outside the years 1–9999 is shown as the nearest one within.
    package var rfc3339: String {
        let held = min(max(self, Self.writable.lowerBound), Self.writable.upperBound.advanced(byMilliseconds: -1))
        let (days, milliseconds) = held.millisecondsSince1970.flooringDivision(by: Self.millisecondsPerDay)
        let (year, month, day) = civilDate(daysSince1970: days)
        let second = milliseconds / 1000
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var cursor = 0
            func put(_ byte: UInt8) {
                buffer[cursor] = byte
                cursor += 1
            }
            func put(_ value: Int64, digits: Int) {
                var power: Int64 = 1
                for _ in 1..<digits { power *= 10 }
                while power > 0 {
                    put(UInt8(ascii: "0") + UInt8(value / power % 10))
                    power /= 10
                }
            }
            put(year, digits: 4)
            put(UInt8(ascii: "-"))
            put(month, digits: 2)
            put(UInt8(ascii: "-"))
            put(day, digits: 2)
            put(UInt8(ascii: "T"))
            put(second / 3600, digits: 2)
            put(UInt8(ascii: ":"))
            put(second / 60 % 60, digits: 2)
            put(UInt8(ascii: ":"))
            put(second % 60, digits: 2)
            put(UInt8(ascii: "."))
            put(milliseconds % 1000, digits: 3)
            put(UInt8(ascii: "Z"))
            return cursor
        }
    }
}

extension Timestamp: CustomStringConvertible {
    package var description: String { rfc3339 }
}

/// Reads the bytes of one date-time; every step returns whether it fits.
private struct DateTimeScanner {
    let bytes: [UInt8]
    var position = 0

    mutating func scan() -> Timestamp? {
        guard let year = digits(4), skip("-"), let month = digits(2), (1...12).contains(month), skip("-"),
            let day = digits(2), (1...daysIn(month: month, of: year)).contains(day), skip("T", "t"),
            let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60, skip(":"),
            let second = digits(2), second <= 60, let fraction = milliseconds(), let offset = offsetInMinutes(),
            position == bytes.count, second < 60 || isLastMinuteOfDay(hour * 60 + minute - offset)
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + min(second, 59)
        return Timestamp(millisecondsSince1970: seconds * 1000 + (second < 60 ? fraction : 999))
    }

    /// - Parameter minutes: the minutes of a day in UTC, or of the day before or after.
    private func isLastMinuteOfDay(_ minutes: Int64) -> Bool { minutes.flooringDivision(by: 1440).remainder == 1439 }

    private mutating func digits(_ count: Int) -> Int64? {
        guard position + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[position..<(position + count)] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        position += count
        return value
    }

    private mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
        guard position < bytes.count, characters.contains(Unicode.Scalar(bytes[position])) else { return false }
        position += 1
        return true
    }

    private mutating func milliseconds() -> Int64? {
        guard skip(".") else { return 0 }
        var value: Int64 = 0
        var read = 0
        while let digit = digits(1) {
            if read < 3 { value = value * 10 + digit }
            read += 1
        }
        guard read > 0 else { return nil }
        for _ in min(read, 3)..<3 { value *= 10 }
        return value
    }

    private mutating func offsetInMinutes() -> Int64? {
        if skip("Z", "z") { return 0 }
        let sign: Int64 = skip("+") ? 1 : -1
        guard sign == 1 || skip("-"), let hours = digits(2), hours < 24, skip(":"), let minutes = digits(2),
            minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private func daysIn(month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// Days and dates of the proleptic Gregorian calendar. A year begins in March, so that the leap day is its last; an era
// has 400 years, or 146,097 days. (E. G. Richards, "Mapping Time", and H. Hinnant's derivation.)

private func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = shifted.flooringDivision(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooringDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}

extension Int64 {
    /// The quotient rounded down, and a remainder that is never negative, also for times before 1970.
    fileprivate func flooringDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
