import Reports

/// The texts of the page about consent.
struct ConsentTexts: Sendable {
    typealias TwoAmountFormat = @Sendable (Amount, Amount) -> String

    let title: String
    let lead: String
    let from: String
    let to: String
    let purpose: String
    let allPurposes: String
    let show: String
    let failure: @Sendable (ReportSelectionError) -> String
    let names: [CountedStatus: String]
    let erased: String
    let change: @Sendable (String) -> String
    let ending: @Sendable (Int64) -> String
    let endingNote: String
    let endingFile: String
    let nothingEnds: String
    let evidenceFact: String
    let evidenceNote: TwoAmountFormat
    /// Shown if no consents were given.
    let noGiven: String
    let severalPurposes: @Sendable (Int) -> String
    let stock: String
    /// Arguments: a day; how many consents are given, refused or withdrawn, and expired at its end.
    let stockFinding: @Sendable (String, Amount, Amount, Amount) -> String
    let noConsents: String
    let flow: String
    /// Arguments: how many were given, refused, withdrawn, and expired.
    let flowFinding: @Sendable (Amount, Amount, Amount, Amount) -> String
    let noFlow: String
    let day: String
    let week: String
    let month: String
    let evidence: String
    /// Arguments: how many have method and notice, and how many there are.
    let evidenceFinding: TwoAmountFormat
    let evidenceNames: [CountedEvidence: String]
    let methods: String
    /// Arguments: the most frequent method, how many consents have it, and how many there are.
    let methodFinding: @Sendable (String, Amount, Amount) -> String
    let noMethod: String
    let otherMethods: String
    let notices: String
    let noticeFinding: @Sendable (String, Amount, Amount) -> String
    let noNotice: String
    let otherNotices: String
    let records: String
    let version: @Sendable (String, String) -> String
    let rareHint: @Sendable (Int) -> String

    func name(of status: CountedStatus) -> String { names[status] ?? status.rawValue }
    func name(of evidence: CountedEvidence) -> String { evidenceNames[evidence] ?? evidence.rawValue }

    static let all = Wording(english: english, german: german)
}
