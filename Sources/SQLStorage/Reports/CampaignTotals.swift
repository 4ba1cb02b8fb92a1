import Consent
import Identifiers
import Interactions
import Reports

/// Adds up what a report of several messages says.
///
/// Kept counts include recipients whom nothing tells apart any more. Those count once for each message: they are the
/// difference between what a message counts and whom it still knows.
struct CampaignTotals {
    private var messages = 0
    private var decisions: [DecisionReason: Int] = [:]
    private var people: [TrackedActivity: [DecisionReason: Int]] = [:]
    private var purposes: [TrackedActivity: Set<Purpose>] = [:]
    private var areApart = false
    private var responses: [Response: Int] = [:]
    private var activity = ActivityCounts()
    /// Whether some of whom the messages counted are not known any more, so that nobody tells them apart.
    private var isIncomplete = false
    /// Whether opens are measured of some message, and whether not of one that somebody is tracked in.
    private var (measuresSomeOpens, missesSomeOpens) = (false, false)

    mutating func add(_ message: MessageCounts, _ purposes: PerActivity<Purpose>) {
        messages += 1
        decisions.merge(message.decisions, uniquingKeysWith: Int.countSum)
        for activity in TrackedActivity.allCases {
            people[activity, default: [:]].merge(message.people[activity], uniquingKeysWith: Int.countSum)
            self.purposes[activity, default: []].insert(purposes[activity])
        }
        areApart = areApart || purposes.areApart
        responses[.clicked, default: 0].addCount(message.activity.clickers)
        responses[.opened, default: 0].addCount(message.activity.openers)
        responses[.mayHaveOpened, default: 0].addCount(message.activity.possibleOpeners)
        activity += message.activity.counts
        isIncomplete = isIncomplete || message.peopleCountedUntil != nil
        measuresSomeOpens = measuresSomeOpens || message.measuresOpens
        missesSomeOpens = missesSomeOpens || !message.measuresOpens && message.figures.tracked[.opens] > 0
    }

    /// Puts each recipient of a block in the place of all that they count under several messages.
    mutating func add(_ block: DistinctPeople.Block) {
        for activity in TrackedActivity.allCases {
            people[activity, default: [:]].merge(block.people[activity], uniquingKeysWith: Int.countSum)
            people[activity, default: [:]].merge(
                block.peopleOfMessages[activity].mapValues { -$0 }, uniquingKeysWith: Int.countSum)
        }
        responses.merge(block.responses, uniquingKeysWith: Int.countSum)
        responses.merge(block.responsesOfMessages.mapValues { -$0 }, uniquingKeysWith: Int.countSum)
    }

    var counts: CampaignCounts {
        CampaignCounts(
            messages: messages,
            purposes: perActivity {
                (purposes[$0] ?? []).sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
            },
            decisions: decisions,
            figures: PeopleFigures(
                byReason: perActivity { people[$0] ?? [:] },
                responders: isIncomplete
                    ? nil
                    : Responders(
                        clickers: count(.clicked), openers: count(.opened), possibleOpeners: count(.mayHaveOpened),
                        machineOpeners: activity[.opens(.machine)].people),
                measuresOpens: measuresSomeOpens && !missesSomeOpens),
            activity: activity)
    }

    private func perActivity<Value>(_ value: (TrackedActivity) -> Value) -> PerActivity<Value> {
        areApart ? .apart(clicks: value(.clicks), opens: value(.opens)) : .together(value(.clicks))
    }

    /// Not below 0: a recipient may be known under fewer messages than counted them.
    private func count(_ response: Response) -> Int { max(0, responses[response] ?? 0) }
}
