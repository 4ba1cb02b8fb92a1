import Reports

/// What the page about consent says.
struct ConsentTexts: Sendable {
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
    let standing: @Sendable (String) -> String
    let change: @Sendable (String) -> String
    let ending: @Sendable (Int64) -> String
    let endingNote: String
    let nothingEnds: String
    let evidenceFact: String
    let evidenceNote: @Sendable (String, String) -> String
    let noGiven: String
    let severalPurposes: @Sendable (Int) -> String
    let stock: String
    let stockFinding: @Sendable (String, String, String, String) -> String
    let noConsents: String
    let flow: String
    let flowFinding: @Sendable (String, String, String, String) -> String
    let noFlow: String
    let day: String
    let week: String
    let month: String
    let evidence: String
    let evidenceFinding: @Sendable (String, String) -> String
    let evidenceNames: [CountedEvidence: String]
    let methods: String
    let methodFinding: @Sendable (String, String, String) -> String
    let noMethod: String
    let otherMethods: String
    let notices: String
    let noticeFinding: @Sendable (String, String, String) -> String
    let noNotice: String
    let otherNotices: String
    let records: String
    let version: @Sendable (String, String) -> String
    let rareHint: @Sendable (Int) -> String

    func name(of status: CountedStatus) -> String { names[status] ?? status.rawValue }
    func name(of evidence: CountedEvidence) -> String { evidenceNames[evidence] ?? evidence.rawValue }

    static let all = Wording(english: english, german: german)

    private static let english = ConsentTexts(
        title: "Consent",
        lead: "What people say when they are asked. A person counts once for each purpose.",
        from: "From", to: "Before", purpose: "Purpose", allPurposes: "All purposes", show: "Show",
        failure: { error in
            switch error {
            case .backwards: "The end must not be before the beginning."
            case .tooLong: "The time must not be longer than 366 days."
            case .tooManyMessages, .tooManyPeople: "There is too much in this time. Choose a shorter one."
            }
        },
        names: [
            .given: "Given", .refused: "Refused", .withdrawn: "Withdrawn", .revoked: "Revoked",
            .invalidated: "Never valid", .expired: "Expired",
        ],
        erased: "Erased", standing: { "\($0) now" }, change: { "\($0) in this time" },
        ending: { "Ends within \($0) days" }, endingNote: "of the consents given now, unless they are renewed",
        nothingEnds: "no consent ends by then", evidenceFact: "Given with evidence",
        evidenceNote: { "\($0) of \($1) have both how they were given and the notice that was shown" },
        noGiven: "no consent was given in this time",
        severalPurposes: { "All numbers are sums over \($0) purposes." }, stock: "Where people stand",
        stockFinding: { "On \($0), \($1) consents stand as given, \($2) were refused or withdrawn and \($3) have expired." },
        noConsents: "Nothing was recorded until the end of this time.", flow: "What was said",
        flowFinding: { "In this time \($0) consents were given, \($1) refused and \($2) withdrawn; \($3) expired." },
        noFlow: "Nothing was said in this time.", day: "Day", week: "Week from", month: "Month",
        evidence: "How well it can be shown",
        evidenceFinding: { "\($0) of the \($1) consents given in this time have method and notice." },
        evidenceNames: [
            .methodAndNotice: "Method and notice", .methodOnly: "Method alone", .noticeOnly: "Notice alone",
            .other: "Other evidence", .none: "No evidence",
        ],
        methods: "By method", methodFinding: { "Most consents were given by “\($0)”: \($1) of \($2) with a method." },
        noMethod: "No method has enough consents in this time to be named.", otherMethods: "Other methods",
        notices: "By notice", noticeFinding: { "The notice shown most is “\($0)”: \($1) of \($2) with a notice." },
        noNotice: "No notice has enough consents in this time to be named.", otherNotices: "Other notices",
        records: "Consents given", version: { "\($0), version \($1)" },
        rareHint: { "A word that fewer than \($0) consents have could be about a person, so it counts under the others." })
}
