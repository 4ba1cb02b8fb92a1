import Reports

/// The texts of the pages about decisions and samples.
struct DecisionTexts: Sendable {
    let title: String
    let lead: String
    let from: String
    let to: String
    let message: String
    let messageHint: String
    let show: String
    /// All, tracked, not tracked.
    let finding: @Sendable (Amount, String, String) -> String
    let none: String
    let selection: @Sendable (ReportSelectionError) -> String
    /// For a request with both a message and a period.
    let wholeMessage: String
    let noMessage: String
    let byReason: String
    let byTime: String
    let day: String
    let week: String
    let month: String
    let reason: String
    let outcome: String
    let decisions: String
    let share: String
    let sampleTitle: String
    let sampleLead: String
    let seed: String
    let seedHint: String
    let size: String
    let through: String
    let throughHint: String
    let draw: String
    let sampleCaption: String
    let leaf: String
    let time: String
    /// Arguments: decisions, draws, the first entry, the end, and the number of entries.
    let drawn: @Sendable (Amount, Amount, String, String, String) -> String
    /// Arguments: how many rows the page has, and how many there are.
    let firstRows: @Sendable (String, String) -> String
    let incomplete: String
    let howTitle: String
    let how: [String]
    let shorter: @Sendable (Amount) -> String

    /// By their names in the forms.
    var fields: [String: String] {
        ["from": from, "to": to, "message": message, "seed": seed, "size": size, "through": through]
    }

    static let all = Wording(english: english, german: german)
}
