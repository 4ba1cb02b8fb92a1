import Reports

extension ConsentReportView {
    /// The statuses of people, the consents that end soon, and the share with evidence.
    var facts: Facts {
        let standing = [CountedStatus.given, .refused, .withdrawn, .expired].map { fact(of: $0) }
        let ending = ConsentReportSelection.aheads.map { fact(endingWithin: $0) }
        return Facts(facts: standing + ending + [evidenceFact], columns: .four)
    }

    private func fact(of status: CountedStatus) -> Facts.Fact {
        Facts.Fact(
            texts.name(of: status), format.integer(stock(status)),
            note: texts.change("+" + format.integer(flow(status))))
    }

    private func fact(endingWithin days: Int64) -> Facts.Fact {
        let count = ending(within: days)
        return Facts.Fact(
            texts.ending(days), format.integer(count), note: count == 0 ? texts.nothingEnds : texts.endingNote)
    }

    private var evidenceFact: Facts.Fact {
        guard given > 0 else { return Facts.Fact(texts.evidenceFact, "–", note: texts.noGiven) }
        return Facts.Fact(
            texts.evidenceFact, format.share(withEvidence, of: given),
            note: texts.evidenceNote(format.amount(withEvidence), format.amount(given)))
    }
}
