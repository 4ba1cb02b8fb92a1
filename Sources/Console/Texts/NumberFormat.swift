import Identifiers

/// Numbers and times as a language writes them. Times are UTC, and pages say so.
struct NumberFormat: Sendable {
    let language: ConsoleLanguage

    private var groups: String { language == .german ? "." : "," }
    private var point: String { language == .german ? "," : "." }

    /// `12,345` or `12.345`.
    func integer(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += groups }
            text.append(digit)
        }
        return number < 0 ? "−" + text : text
    }

    /// A share from 0 to 1 in percent, with one digit behind the point: `12.3 %`.
    func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
        return "\(integer(whole))\(point)\(abs(rest))\u{A0}%"
    }

    /// As ``percent(_:)``; a dash where nothing is known.
    func percent(ifKnown share: Double?) -> String { share.map(percent) ?? "–" }

    /// A number with one digit behind the point.
    func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
        return "\(integer(whole))\(point)\(abs(rest))"
    }

    /// `2026-11-25`: the same in both languages (ISO 8601).
    func day(_ time: Timestamp) -> String { String(time.rfc3339.prefix(10)) }

    /// `2026-11-25 03:42`, in UTC.
    func minute(_ time: Timestamp) -> String { day(time) + " " + time.rfc3339.dropFirst(11).prefix(5) }

    /// `2026-11-25 03:42:07`, in UTC.
    func second(_ time: Timestamp) -> String { day(time) + " " + time.rfc3339.dropFirst(11).prefix(8) }

    /// A number of bytes, in powers of 1024.
    func bytes(_ count: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var (size, unit) = (Double(count), 0)
        while size >= 1024, unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
        return unit == 0 ? "\(count)\u{A0}B" : "\(decimal(size))\u{A0}\(units[unit])"
    }
}
