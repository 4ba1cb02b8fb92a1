import Reports

extension ConsentTexts {
    static let german = ConsentTexts(
        title: "Einwilligungen",
        lead: "Was Menschen sagen, wenn sie gefragt werden. Ein Mensch zählt einmal für jeden Zweck.",
        from: "Von", to: "Bis vor", purpose: "Zweck", allPurposes: "Alle Zwecke", show: "Zeigen",
        failure: { error in
            switch error {
            case .backwards: "Das Ende darf nicht vor dem Anfang liegen."
            case .tooLong: "Die Zeit darf nicht länger als 366 Tage sein."
            case .tooManyMessages, .tooManyPeople: "In dieser Zeit liegt zu viel. Wählen Sie eine kürzere."
            }
        },
        names: [
            .given: "Erteilt", .refused: "Abgelehnt", .withdrawn: "Widerrufen", .revoked: "Aufgehoben",
            .invalidated: "Nie gültig", .expired: "Abgelaufen",
        ],
        erased: "Gelöscht", standing: { "\($0) jetzt" }, change: { "\($0) in dieser Zeit" },
        ending: { "Endet in \($0) Tagen" }, endingNote: "der jetzt erteilten, wenn sie nicht erneuert werden",
        nothingEnds: "bis dahin endet keine Einwilligung", evidenceFact: "Erteilt mit Nachweis",
        evidenceNote: { "\($0) von \($1) sagen, wie sie erteilt wurden und welcher Hinweis gezeigt wurde" },
        noGiven: "in dieser Zeit wurde keine erteilt",
        severalPurposes: { "Alle Zahlen sind Summen über \($0) Zwecke." }, stock: "Was gilt",
        stockFinding: {
            "Am \($0) gelten \($1) Einwilligungen als erteilt, \($2) sind abgelehnt oder widerrufen und \($3) abgelaufen."
        },
        noConsents: "Bis zum Ende dieser Zeit wurde nichts erfasst.", flow: "Was gesagt wurde",
        flowFinding: {
            "In dieser Zeit wurden \($0) Einwilligungen erteilt, \($1) abgelehnt und \($2) widerrufen; \($3) liefen ab."
        },
        noFlow: "In dieser Zeit wurde nichts gesagt.", day: "Tag", week: "Woche ab", month: "Monat",
        evidence: "Wie gut es sich zeigen lässt",
        evidenceFinding: { "\($0) der \($1) in dieser Zeit erteilten Einwilligungen haben Methode und Hinweis." },
        evidenceNames: [
            .methodAndNotice: "Methode und Hinweis", .methodOnly: "Nur Methode", .noticeOnly: "Nur Hinweis",
            .other: "Anderer Nachweis", .none: "Kein Nachweis",
        ],
        methods: "Nach Methode",
        methodFinding: { "Die meisten wurden durch „\($0)“ erteilt: \($1) von \($2) mit einer Methode." },
        noMethod: "Keine Methode hat in dieser Zeit genug Einwilligungen, um genannt zu werden.",
        otherMethods: "Andere Methoden", notices: "Nach Hinweis",
        noticeFinding: { "Am häufigsten gezeigt wurde „\($0)“: \($1) von \($2) mit einem Hinweis." },
        noNotice: "Kein Hinweis hat in dieser Zeit genug Einwilligungen, um genannt zu werden.",
        otherNotices: "Andere Hinweise", records: "Erteilte Einwilligungen", version: { "\($0), Version \($1)" },
        rareHint: {
            """
            Ein Wort, das weniger als \($0) Einwilligungen haben, könnte von einem Menschen handeln und zählt darum zu den \
            anderen.
            """
        })
}
