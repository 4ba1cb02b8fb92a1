import Reports

extension DecisionTexts {
    static let english = DecisionTexts(
        title: "Decisions",
        lead: """
            For each person and message, the service decided whether the person is tracked. This page shows how many \
            were tracked, and the reasons.
            """,
        from: "From", to: "Before", message: "Message",
        messageHint:
            "The id of a message, for all of its decisions. It is counted as a whole, so leave the days empty.",
        show: "Show",
        finding: { all, tracked, untracked in
            "\(all.of("decision", "decisions")): \(tracked) tracked, \(untracked) not tracked."
        },
        none: "Nothing was decided in this time.",
        selection: { error in
            switch error {
            case .backwards: "The end must not be before the beginning."
            case .tooLong: "The time must not be longer than \(ReportSelection.mostDays) days."
            case .tooManyMessages, .tooManyPeople: "This is too much for one page. Please choose a shorter time."
            }
        },
        wholeMessage: "A message is counted as a whole: leave the days empty, or the message.",
        noMessage: "The organization has no message with this id.",
        byReason: "Decisions by reason", byTime: "Decisions over time", day: "Day", week: "Week from", month: "Month",
        reason: "Reason", outcome: "Outcome", decisions: "Decisions", share: "Share", sampleTitle: "Random sample",
        sampleLead: """
            Decisions drawn at random. The operator cannot choose which ones are drawn, and you can repeat the draw: \
            the same seed always draws the same ones.
            """,
        seed: "Seed", seedHint: "Choose it yourself, such as the roll of dice. 1 to 128 bytes.", size: "Size",
        through: "Of the first entries", throughHint: "Leave it empty for all present entries of the ledger.",
        draw: "Draw", sampleCaption: "The sample, in the order in which it was drawn", leaf: "Entry", time: "Decided",
        drawn: { count, draws, first, end, through in
            """
            \(count.of("decision", "decisions")) in \(draws.of("draw", "draws")) from the entries \
            \(first) up to, and without, \(end) of the first \(through).
            """
        },
        firstRows: { "The page shows the first \($0) of \($1) decisions. The files have all of them." },
        incomplete: "Few decisions fit, and the draws are used up: there may be more.",
        howTitle: "How to repeat it",
        how: [
            """
            Draw number n, from 0, hits the entry first + (the first 8 bytes of SHA-256 of “SEED:n”, as a number, most \
            significant byte first, modulo (end − first)). An entry that was hit before is passed over, and so is one \
            that is no decision, or not one of this time or message.
            """,
            """
            The entries stand in the ledger, and in its export, in this order; an older checkpoint proves that they were \
            not moved. Keep the seed and the number of entries: the address of this page has both.
            """,
            """
            The API gives the same sample: GET /v1/orgs/ORG/decisions/sample with the same seed, size, through and filters. \
            To see the person of a decision, ask for it by its id, with a reason: consentlink audit show ID.
            """,
        ],
        shorter: { "The ledger has \($0.of("entry", "entries")), and a sample cannot be of more." })
}
