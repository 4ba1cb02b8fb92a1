package import Consent
package import Identifiers
package import Interactions

/// How many people, of whom a report says something, and what can be said of them.
///
/// Rates are of tracked people alone: of the others it is not known what they did. What holds for everybody are bounds.
package struct PeopleFigures: Hashable, Sendable {
    package let composed: Int
    /// Those whose clicks are tracked, and those whose opens are; the same people where a message has one purpose.
    package let tracked: PerActivity<Int>
    package let untracked: PerActivity<[DecisionReason: Int]>
    /// `nil` where it is not known any more: retention deleted what tells the people of several messages apart, or what
    /// tells whether people are counted who did something later.
    package let responders: Responders?
    /// Whether opens are measured of all tracked people. Where they are not, that there is no opener says nothing.
    package let measuresOpens: Bool

    /// - Parameter byReason: under which reason people count by their decisions about clicks, and about opens.
    package init(
        byReason: PerActivity<[DecisionReason: Int]>, responders: Responders?, measuresOpens: Bool
    ) {
        composed = byReason[.clicks].values.countSum
        tracked = byReason.map { $0.filter { $0.key.outcome == .tracked }.values.countSum }
        untracked = byReason.map { $0.filter { $0.key.outcome == .untracked && $0.value != 0 } }
        self.responders = responders
        self.measuresOpens = measuresOpens
    }

    /// With an open that was a person's; `nil` where it is not known or not measured.
    package var openers: Int? { measuresOpens ? responders?.openers : nil }
    /// With an open of which it cannot be told whether it was a person's, and with none that was; `nil` as with
    /// ``openers``.
    package var possibleOpeners: Int? { measuresOpens ? responders?.possibleOpeners : nil }

    /// Of which share of people an activity is tracked.
    package func coverage(of activity: TrackedActivity) -> Rate { Rate(tracked[activity], of: composed) }
    package var clickRate: Rate { Rate(responders?.clickers, of: tracked[.clicks]) }
    package var openRate: Rate { Rate(openers, of: tracked[.opens]) }
    /// As if every open of which it cannot be told had been a person's.
    package var possibleOpenRate: Rate {
        Rate(measuresOpens ? responders.map { $0.openers + $0.possibleOpeners } : nil, of: tracked[.opens])
    }

    package var clickBounds: Bounds {
        Bounds(known: responders?.clickers, unknown: composed - tracked[.clicks], of: composed)
    }
    /// A machine's open says nothing about its recipient, who may have read the message.
    package var openBounds: Bounds {
        let unknown = responders.map { $0.possibleOpeners + $0.machineOpeners } ?? 0
        return Bounds(known: openers, unknown: unknown + composed - tracked[.opens], of: composed)
    }
}

/// How many tracked people did something.
package struct Responders: Hashable, Sendable {
    /// Who followed a link; clicks of known machines do not count.
    package let clickers: Int
    /// With an open that was a person's.
    package let openers: Int
    /// With an open of which it cannot be told whether it was a person's, and with none that was.
    package let possibleOpeners: Int
    /// With opens by machines alone. Of several messages at most so many.
    package let machineOpeners: Int

    package init(clickers: Int, openers: Int, possibleOpeners: Int, machineOpeners: Int) {
        self.clickers = clickers
        self.openers = openers
        self.possibleOpeners = possibleOpeners
        self.machineOpeners = machineOpeners
    }
}

extension MessageActivity {
    package var clickers: Int { counts[.kind(.pushLinkClicked)].people }
    package var openers: Int { counts[.opens(.person)].people }
    package var possibleOpeners: Int { counts[.opens(.cannotTell)].people }
    package var machineOpeners: Int { counts[.opens(.machine)].people }

    /// `nil` once people may be missing.
    var responders: Responders? {
        guard counts[.uncounted].total == 0 else { return nil }
        return Responders(
            clickers: clickers, openers: openers, possibleOpeners: possibleOpeners, machineOpeners: machineOpeners)
    }
}
