import Identifiers
import Reports

extension MessageReportView {
    /// The most important numbers of the message: those of all people beside those of tracked people.
    var facts: Facts {
        Facts(
            facts: [composedFact, clickFact, clickBoundsFact, coverageFact, openFact, openBoundsFact], columns: .three)
    }

    private var composedFact: Facts.Fact {
        // If clicks and opens are decided separately, a payload has two decisions.
        let decisions = counts.decisions.values.countSum
        let payloads = counts.people.areApart ? decisions / 2 : decisions
        return Facts.Fact(
            texts.people, format.integer(figures.composed), note: texts.payloads(format.amount(payloads)))
    }

    private var coverageFact: Facts.Fact {
        Facts.Fact(
            texts.tracked, format.percent(ifKnown: figures.coverage(of: .clicks).estimate?.value),
            note: texts.ofPeople(format.amount(figures.tracked[.clicks]), format.amount(figures.composed)))
    }

    private var clickFact: Facts.Fact {
        Facts.Fact(
            texts.clicked, format.percent(ifKnown: figures.clickRate.estimate?.value), note: interval(figures.clickRate)
        )
    }

    private var openFact: Facts.Fact {
        let rate = figures.openRate
        guard figures.measuresOpens else { return Facts.Fact(texts.opened, "–", note: texts.notMeasured) }
        let atMost = figures.possibleOpenRate.estimate.map { texts.openedAtMost(format.percent($0.value)) }
        let notes = [interval(rate)] + [atMost].compactMap(\.self)
        return Facts.Fact(
            texts.opened, format.percent(ifKnown: rate.estimate?.value), note: notes.joined(separator: "; "))
    }

    private var clickBoundsFact: Facts.Fact {
        let unknown = figures.composed - figures.tracked[.clicks]
        return bounds(texts.clickedOfAll, figures.clickBounds, note: texts.clickBounds(format.amount(unknown)))
    }

    private var openBoundsFact: Facts.Fact {
        guard figures.measuresOpens else { return Facts.Fact(texts.openedOfAll, "–", note: texts.notMeasured) }
        let untold = figures.responders.map { $0.possibleOpeners + $0.machineOpeners } ?? 0
        let unknown = min(untold + figures.composed - figures.tracked[.opens], figures.composed)
        return bounds(texts.openedOfAll, figures.openBounds, note: texts.openBounds(format.amount(unknown)))
    }

    private func bounds(_ name: String, _ bounds: Bounds, note: String) -> Facts.Fact {
        guard bounds.n > 0 else { return Facts.Fact(name, "–") }
        guard let range = bounds.range else { return Facts.Fact(name, "–", note: texts.unknown) }
        return Facts.Fact(name, texts.range(format.percent(range.low), format.percent(range.high)), note: note)
    }

    /// The interval of a rate, or why there is none.
    private func interval(_ rate: Rate) -> String {
        guard let estimate = rate.estimate else { return rate.n == 0 ? texts.nobodyTracked : texts.unknown }
        return texts.interval(format.percent(estimate.low), format.percent(estimate.high))
    }
}
