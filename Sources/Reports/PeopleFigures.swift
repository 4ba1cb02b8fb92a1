package import Consent
package import Identifiers
package import Interactions

/// The number of recipients of a report, and the figures about them.
///
/// Rates are about tracked recipients only: it is not known what the others did. For all recipients there are bounds.
package struct PeopleFigures: Hashable, Sendable {
    package let composed: Int
    /// The recipients whose clicks are tracked, and those whose opens are; the same recipients if a message has one
    /// purpose.
    package let tracked: PerActivity<Int>
    package let untracked: PerActivity<[DecisionReason: Int]>
    /// `nil` if it is not known any more: retention deleted the data that tells the recipients of several messages
    /// apart, or that tells whether later responders are counted already.
    package let responders: Responders?
    /// Whether the opens of all tracked recipients are measured. If not, zero openers has no meaning.
    package let measuresOpens: Bool

    /// - Parameter byReason: the numbers of recipients by the reason for clicks, and by the reason for opens.
    package init(
        byReason: PerActivity<[DecisionReason: Int]>, responders: Responders?, measuresOpens: Bool
    ) {
        composed = byReason[.clicks].values.countSum
        tracked = byReason.map { $0.filter { $0.key.outcome == .tracked }.values.countSum }
        untracked = byReason.map { $0.filter { $0.key.outcome == .untracked && $0.value != 0 } }
        self.responders = responders
        self.measuresOpens = measuresOpens
    }

    /// Recipients with an open by a person; `nil` if it is not known or not measured.
    package var openers: Int? { measuresOpens ? responders?.openers : nil }
    /// Recipients with an open that may have been by a person, and with none that certainly was; `nil` as for
    /// ``openers``.
    package var possibleOpeners: Int? { measuresOpens ? responders?.possibleOpeners : nil }

    /// The share of recipients for whom an activity is tracked.
    package func coverage(of activity: TrackedActivity) -> Rate { Rate(tracked[activity], of: composed) }
    package var clickRate: Rate { Rate(responders?.clickers, of: tracked[.clicks]) }
    package var openRate: Rate { Rate(openers, of: tracked[.opens]) }
    /// The rate if every open that may have been by a person was by one.
    package var possibleOpenRate: Rate {
        Rate(measuresOpens ? responders.map { $0.openers + $0.possibleOpeners } : nil, of: tracked[.opens])
    }

    package var clickBounds: Bounds {
        Bounds(known: responders?.clickers, unknown: composed - tracked[.clicks], of: composed)
    }
    /// An open by a machine does not show what its recipient did, who may have read the message.
    package var openBounds: Bounds {
        let unknown = responders.map { $0.possibleOpeners + $0.machineOpeners } ?? 0
        return Bounds(known: openers, unknown: unknown + composed - tracked[.opens], of: composed)
    }
}

/// How many tracked recipients responded.
package struct Responders: Hashable, Sendable {
    /// Recipients who followed a link; clicks of known machines do not count.
    package let clickers: Int
    /// Recipients with an open by a person.
    package let openers: Int
    /// Recipients with an open that may have been by a person, and with none that certainly was.
    package let possibleOpeners: Int
    /// Recipients with opens by machines only; an upper bound if there are several messages.
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
    var machineOpeners: Int { counts[.opens(.machine)].people }

    /// `nil` if recipients may be missing.
    var responders: Responders? {
        guard counts[.uncounted].total == 0 else { return nil }
        return Responders(
            clickers: clickers, openers: openers, possibleOpeners: possibleOpeners, machineOpeners: machineOpeners)
    }
}
