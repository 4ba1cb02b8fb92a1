import Reports

/// What the page about consent says.
struct ConsentTexts: Sendable {
    typealias OfTwoAmounts = @Sendable (Amount, Amount) -> String

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
    let evidenceNote: OfTwoAmounts
    /// Where there is nothing to be said about the consents given.
    let noGiven: String
    let severalPurposes: @Sendable (Int) -> String
    let stock: String
    /// A day; how many consents are given, refused or withdrawn, and expired at its end.
    let stockFinding: @Sendable (String, Amount, Amount, Amount) -> String
    let noConsents: String
    let flow: String
    /// How many were given, refused, withdrawn, and expired.
    let flowFinding: @Sendable (Amount, Amount, Amount, Amount) -> String
    let noFlow: String
    let day: String
    let week: String
    let month: String
    let evidence: String
    /// How many have method and notice, of how many.
    let evidenceFinding: OfTwoAmounts
    let evidenceNames: [CountedEvidence: String]
    let methods: String
    /// The most frequent method, how many consents have it, of how many.
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
