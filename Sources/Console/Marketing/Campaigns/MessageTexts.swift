/// The texts of a message's page.
struct MessageTexts: Sendable {
    /// A text with two arguments that are texts, such as rates.
    typealias TextPairFormat = @Sendable (String, String) -> String
    typealias AmountFormat = @Sendable (Amount) -> String
    typealias TwoAmountFormat = @Sendable (Amount, Amount) -> String
    typealias ThreeAmountFormat = @Sendable (Amount, Amount, Amount) -> String

    let back: String
    // Facts
    let people: String
    let payloads: AmountFormat
    let tracked: String
    let ofPeople: TwoAmountFormat
    let clicked: String
    let opened: String
    let interval: TextPairFormat
    let clickedOfAll: String
    let openedOfAll: String
    let range: TextPairFormat
    let clickBounds: AmountFormat
    let openBounds: AmountFormat
    let unknown: String
    let notMeasured: String
    let nobodyTracked: String
    let openedAtMost: @Sendable (String) -> String
    // From composed to clicked
    /// Arguments: how many clicked, how many are tracked, and the interval of the rate.
    let clickedOfTracked: @Sendable (Amount, Amount, String, String) -> String
    let noneTracked: String
    let notKept: String
    let noneComposed: String
    let composedBar: String
    let trackedBar: String
    let clickedBar: String
    let funnel: String
    // Links
    let links: String
    /// Arguments: the link's name, its clicks, and the people who clicked it.
    let bestLink: @Sendable (String, Amount, Amount) -> String
    let noClicks: String
    let byPeople: AmountFormat
    /// Arguments: how many links there are, have a bar, and have a row.
    let firstLinks: ThreeAmountFormat
    /// Links that rewriting found in the mails of single recipients, all together.
    let addedLinks: String
    /// How often they were followed.
    let addedFollowed: AmountFormat
    let ownLink: String
    let inMail: String
    let inText: String
    let button: @Sendable (Int) -> String
    // Time
    let hours: String
    /// Arguments: clicks in all, in the first hour, and on the first day.
    let early: ThreeAmountFormat
    let days: String
    let bestDay: @Sendable (String, Amount) -> String
    /// The caption of a table that has only the newest days.
    let newestDays: TwoAmountFormat
    let clicks: String
    let opens: String
    let clickers: String
    let openers: String
    // Machines
    let openKinds: String
    /// Arguments: opens by people, by machines, and of unknown cause.
    let openFinding: ThreeAmountFormat
    let noOpens: String
    let interactions: String
    let noInteractions: String
    // What it is
    let about: String
    let id: String
    let made: String
    /// The time from which on nothing is recorded. The links go on leading to their targets.
    let expires: String
    let never: String
    let tags: String
    let purposes: String
    let clicksAndOpens: TextPairFormat
    let countedUntil: String
    let countedUntilHint: String
    // Columns
    let step: String
    let forOpens: String
    let link: String
    let place: String
    let target: String
    let day: String
    let hour: String
    let visitor: String
    let kind: String
    let total: String
    let automated: String
    let suspected: String
    // Files
    let untracked: String
    let rates: String
    let bounds: String
    let decisions: String
    // Switching
    let switchOff: String
    let switchOffHint: String
    let switchOn: String
    let switchOnHint: String

    static let all = Wording(english: english, german: german)
}
