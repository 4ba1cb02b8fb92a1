import Identifiers

/// Numbers and times as a language writes them. Times are UTC, and pages say so.
struct NumberFormat: Sendable {
    let language: ConsoleLanguage

    private var groups: String { language == .german ? "." : "," }
    private var point: String { language == .german ? "," : "." }
    /// With a no-break space before it if the language requires one (DIN 5008).
    private var percentSign: String { language == .german ? "\u{A0}%" : "%" }

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

    /// A share from 0 to 1 in percent, with one digit after the point: `12.3%` or `12,3 %`.
    func percent(_ share: Double) -> String { tenths(Int((share * 1000).rounded())) + percentSign }

    /// Like ``percent(_:)``; a dash if the share is not known.
    func percent(ifKnown share: Double?) -> String { share.map(percent) ?? "–" }

    /// The share of `count` in `whole`, in percent; empty if `whole` is 0.
    func share(_ count: Int, of whole: Int) -> String {
        whole > 0 ? percent(Double(count) / Double(whole)) : ""
    }

    /// A number with one digit after the point.
    func decimal(_ number: Double) -> String { tenths(Int((number * 10).rounded())) }

    private func tenths(_ tenths: Int) -> String {
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return "\(tenths < 0 ? "−" : "")\(integer(Int(whole)))\(point)\(rest)"
    }

    /// A number for a sentence.
    func amount(_ number: Int) -> Amount { Amount(number: number, description: integer(number)) }

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

/// A number in a sentence, so that the words beside it agree with it. English and German have one form of a word for 1,
/// and another for every other number.
struct Amount: Sendable, CustomStringConvertible {
    let number: Int
    /// The number as the language writes it.
    let description: String

    init(number: Int, description: String) {
        self.number = number
        self.description = description
    }

    /// A number below 1000, which every language writes in the same way.
    init(_ number: Int64) { self.init(number: Int(number), description: String(number)) }

    /// The number and what it counts: `1 click`, `12 clicks`.
    func of(_ one: String, _ others: String) -> String { "\(description) \(form(one, others))" }

    /// Only the form of a word: `is` or `are`.
    func form(_ one: String, _ others: String) -> String { number == 1 ? one : others }
}
