/// The texts of the page about the ledger.
struct LedgerTexts: Sendable {
    let title: String
    let lead: String
    let size: String
    let state: String
    let open: String
    let closed: String
    let closedText: String
    let lastCheck: String
    let notYet: String
    let checkpoint: String
    let checkpointHint: String
    let key: String
    let keyHint: String
    let copyCheckpoint: String
    let copyKey: String
    let copied: String
    let compareTitle: String
    let compareHint: String
    let paste: String
    let compare: String
    let unreadable: String
    let otherLedger: @Sendable (String) -> String
    let forged: String
    /// Arguments: how many entries the checkpoint was signed over, and how many there are.
    let ahead: @Sendable (Amount, Amount) -> String
    let departs: @Sendable (Amount) -> String
    let continues: @Sendable (Amount, Amount) -> String
    /// The tree continues the checkpoint, and the ledger is closed: rows of the database differ from the tree.
    let continuesClosed: String
    let exportTitle: String
    let exportHint: String
    let from: String
    let to: String
    let export: String
    let exportUnderWay: String

    /// By their names in the forms.
    var fields: [String: String] { ["from": from, "to": to] }

    static let all = Wording(english: english, german: german)
}
