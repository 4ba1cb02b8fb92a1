import Reports

extension ConsentTexts {
    static let german = ConsentTexts(
        title: "Einwilligungen",
        lead: """
            Wie viele Menschen eingewilligt, abgelehnt oder widerrufen haben. Ein Mensch zählt einmal für jeden Zweck.
            """,
        from: "Von", to: "Bis vor", purpose: "Zweck", allPurposes: "Alle Zwecke", show: "Zeigen",
        failure: { error in
            switch error {
            case .backwards: "Das Ende darf nicht vor dem Anfang liegen."
            case .tooLong: "Die Zeit darf nicht länger als \(ReportSelection.mostDays) Tage sein."
            case .tooManyMessages, .tooManyPeople: "In dieser Zeit liegt zu viel. Wählen Sie eine kürzere."
            }
        },
        names: [
            .given: "Eingewilligt", .refused: "Abgelehnt", .withdrawn: "Widerrufen", .revoked: "Aufgehoben",
            .invalidated: "Ungültig", .expired: "Abgelaufen",
        ],
        erased: "Gelöscht", change: { "\($0) in dieser Zeit" }, ending: { "Laufen in \($0) Tagen ab" },
        endingNote: "der jetzt geltenden Einwilligungen, wenn sie nicht erneuert werden",
        endingFile: "Einwilligungen, die bald ablaufen",
        nothingEnds: "bis dahin läuft keine Einwilligung ab", evidenceFact: "Eingewilligt mit Nachweis",
        evidenceNote: { "\($0) von \($1), mit Methode und Hinweis" },
        noGiven: "In dieser Zeit hat niemand eingewilligt.",
        severalPurposes: { "Alle Zahlen sind Summen über \($0) Zwecke." },
        stock: "Einwilligungen am Ende jedes Tages",
        stockFinding: { day, given, ended, expired in
            """
            Am Ende des \(day) \(given.form("gilt", "gelten")) \(given.of("Einwilligung", "Einwilligungen")). Abgelehnt \
            oder widerrufen: \(ended), abgelaufen: \(expired).
            """
        },
        noConsents: "Bis zum Ende dieser Zeit wurde nichts erfasst.", flow: "Änderungen in dieser Zeit",
        flowFinding: {
            "In dieser Zeit eingewilligt: \($0), abgelehnt: \($1), widerrufen: \($2), abgelaufen: \($3)."
        },
        noFlow: "In dieser Zeit hat sich nichts geändert.", day: "Tag", week: "Woche ab", month: "Monat",
        evidence: "Nachweise der Einwilligungen",
        evidenceFinding: { complete, given in
            """
            Von \(given.of("Einwilligung", "Einwilligungen")) dieser Zeit \(complete.form("hat", "haben")) \(complete) \
            Methode und Hinweis.
            """
        },
        evidenceNames: [
            .methodAndNotice: "Methode und Hinweis", .methodOnly: "Nur Methode", .noticeOnly: "Nur Hinweis",
            .other: "Anderer Nachweis", .none: "Kein Nachweis",
        ],
        methods: "Nach Methode",
        methodFinding: {
            "Die häufigste Methode ist „\($0)“: \($1) von \($2.of("Einwilligung", "Einwilligungen")) mit einer Methode."
        },
        noMethod: "Keine Methode hat in dieser Zeit genug Einwilligungen, um genannt zu werden.",
        otherMethods: "Andere Methoden", notices: "Nach Hinweis",
        noticeFinding: {
            "Der häufigste Hinweis ist „\($0)“: \($1) von \($2.of("Einwilligung", "Einwilligungen")) mit einem Hinweis."
        },
        noNotice: "Kein Hinweis hat in dieser Zeit genug Einwilligungen, um genannt zu werden.",
        otherNotices: "Andere Hinweise", records: "Einwilligungen", version: { "\($0), Version \($1)" },
        rareHint: {
            """
            Methoden und Hinweise, die weniger als \($0) Einwilligungen oder weniger als \($0) Menschen haben, sind nicht \
            genannt, da sie sagen könnten, wer ein Mensch ist. Sie zählen zu den anderen.
            """
        })
}
