/// The texts of charts themselves.
struct ChartTexts: Sendable {
    /// The heading of the names of stacked series.
    let stacked: String
    /// The short names of the months, January first.
    let months: [String]
    /// A day of a month: its number, and the month's name.
    let day: @Sendable (String, String) -> String

    static let all = Wording(
        english: ChartTexts(
            stacked: "From the lowest up:",
            months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
            day: { "\($0) \($1)" }),
        german: ChartTexts(
            stacked: "Von unten nach oben:",
            months: ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.", "Dez."],
            day: { "\($0). \($1)" }))
}

extension NumberFormat {
    /// A day as charts write it: `5 Nov`.
    /// - Parameter day: `2026-11-05`; any other text is returned unchanged.
    func shortDay(_ day: String) -> String {
        let parts = day.split(separator: "-")
        let texts = ChartTexts.all[language]
        guard parts.count == 3, let month = Int(parts[1]), texts.months.indices.contains(month - 1),
            let number = Int(parts[2])
        else { return day }
        return texts.day(String(number), texts.months[month - 1])
    }

    /// A month as charts write it: `Nov 2026`.
    func shortMonth(_ day: String) -> String {
        let parts = day.split(separator: "-")
        let texts = ChartTexts.all[language]
        guard parts.count == 3, let month = Int(parts[1]), texts.months.indices.contains(month - 1) else { return day }
        return "\(texts.months[month - 1]) \(parts[0])"
    }
}
