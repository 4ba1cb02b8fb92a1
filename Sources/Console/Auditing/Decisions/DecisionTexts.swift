import Reports

/// What the pages of decisions and of their samples say.
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
    /// A message and a time are asked for at once.
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
    /// Decisions, draws, the first entry, the end, and of how many.
    let drawn: @Sendable (Amount, Amount, String, String, String) -> String
    /// How many rows of how many the page has.
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
