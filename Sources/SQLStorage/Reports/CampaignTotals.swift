import Consent
import Identifiers
import Interactions
import Reports

/// Adds up the counts for a report about several messages.
///
/// The kept counts include recipients who can no longer be told apart. Such a recipient counts once for each message:
/// their number is the count of a message minus the recipients that it still knows.
struct CampaignTotals {
    private var messages = 0
    private var decisions: [DecisionReason: Int] = [:]
    private var people: [TrackedActivity: [DecisionReason: Int]] = [:]
    private var purposes: [TrackedActivity: Set<Purpose>] = [:]
    private var areApart = false
    private var responses: [Response: Int] = [:]
    private var activity = ActivityCounts()
    /// Whether a message counted recipients who are not known any more, so that they cannot be told apart.
    private var isIncomplete = false
    /// Whether some message has its opens measured, and whether some message with tracked recipients has not.
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

    /// Replaces what each recipient of a block counts under several messages by what they count over all of them.
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

    /// At least 0, because a recipient may be known under fewer messages than counted them.
    private func count(_ response: Response) -> Int { max(0, responses[response] ?? 0) }
}
