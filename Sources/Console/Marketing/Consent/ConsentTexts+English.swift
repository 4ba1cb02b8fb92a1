import Reports

extension ConsentTexts {
    static let english = ConsentTexts(
        title: "Consent",
        lead: "How many people consented, refused or withdrew. A person counts once for each purpose.",
        from: "From", to: "Before", purpose: "Purpose", allPurposes: "All purposes", show: "Show",
        failure: { error in
            switch error {
            case .backwards: "The end must not be before the beginning."
            case .tooLong: "The time must not be longer than \(ReportSelection.mostDays) days."
            case .tooManyMessages, .tooManyPeople: "There is too much in this time. Choose a shorter one."
            }
        },
        names: [
            .given: "Given", .refused: "Refused", .withdrawn: "Withdrawn", .revoked: "Revoked",
            .invalidated: "Invalid", .expired: "Expired",
        ],
        erased: "Erased", change: { "\($0) in this time" }, ending: { "Ending within \($0) days" },
        endingNote: "of the consents given now, unless they are renewed",
        endingFile: "Consents that end soon", nothingEnds: "no consent ends by then",
        evidenceFact: "Given with evidence", evidenceNote: { "\($0) of \($1), with method and notice" },
        noGiven: "No consent was given in this time.",
        severalPurposes: { "All numbers are sums over \($0) purposes." }, stock: "Consents at the end of each day",
        stockFinding: { day, given, ended, expired in
            """
            At the end of \(day), \(given.of("consent is", "consents are")) given, \(ended.of("is", "are")) refused or \
            withdrawn, and \(expired.of("has", "have")) expired.
            """
        },
        noConsents: "Nothing was recorded until the end of this time.", flow: "Changes in this time",
        flowFinding: { given, refused, withdrawn, expired in
            """
            In this time, \(given.of("consent was", "consents were")) given, \(refused) refused and \(withdrawn) \
            withdrawn; \(expired) expired.
            """
        },
        noFlow: "Nothing changed in this time.", day: "Day", week: "Week from", month: "Month",
        evidence: "Evidence of the consents given",
        evidenceFinding: { complete, given in
            """
            Of \(given.of("consent", "consents")) given in this time, \(complete.of("has", "have")) both method and \
            notice.
            """
        },
        evidenceNames: [
            .methodAndNotice: "Method and notice", .methodOnly: "Method alone", .noticeOnly: "Notice alone",
            .other: "Other evidence", .none: "No evidence",
        ],
        methods: "By method",
        methodFinding: {
            "The most frequent method is “\($0)”: \($1) of \($2.of("consent", "consents")) with a method."
        },
        noMethod: "No method has enough consents in this time to be named.", otherMethods: "Other methods",
        notices: "By notice",
        noticeFinding: {
            "The most frequent notice is “\($0)”: \($1) of \($2.of("consent", "consents")) with a notice."
        },
        noNotice: "No notice has enough consents in this time to be named.", otherNotices: "Other notices",
        records: "Consents given", version: { "\($0), version \($1)" },
        rareHint: {
            """
            Methods and notices that fewer than \($0) consents or fewer than \($0) people have are not named, since they \
            could say who a person is. They count as others.
            """
        })
}
