/// The texts of a message's page.
struct MessageTexts: Sendable {
    /// A text with two arguments that are texts, such as rates.
    typealias OfTwo = @Sendable (String, String) -> String
    typealias OfAmount = @Sendable (Amount) -> String
    typealias OfTwoAmounts = @Sendable (Amount, Amount) -> String
    typealias OfThreeAmounts = @Sendable (Amount, Amount, Amount) -> String

    let back: String
    // Facts
    let people: String
    let payloads: OfAmount
    let tracked: String
    let ofPeople: OfTwoAmounts
    let clicked: String
    let opened: String
    let interval: OfTwo
    let clickedOfAll: String
    let openedOfAll: String
    let range: OfTwo
    let clickBounds: OfAmount
    let openBounds: OfAmount
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
    let byPeople: OfAmount
    /// Arguments: how many links there are, have a bar, and have a row.
    let firstLinks: OfThreeAmounts
    /// Links that rewriting found in the mails of single recipients, all together.
    let addedLinks: String
    /// How often they were followed.
    let addedFollowed: OfAmount
    let ownLink: String
    let inMail: String
    let inText: String
    let button: @Sendable (Int) -> String
    // Time
    let hours: String
    /// Arguments: clicks in all, in the first hour, and on the first day.
    let early: OfThreeAmounts
    let days: String
    let bestDay: @Sendable (String, Amount) -> String
    /// The caption of a table that has only the newest days.
    let newestDays: OfTwoAmounts
    let clicks: String
    let opens: String
    let clickers: String
    let openers: String
    // Machines
    let openKinds: String
    /// Arguments: opens by people, by machines, and of unknown cause.
    let openFinding: OfThreeAmounts
    let noOpens: String
    let interactions: String
    let noInteractions: String
    // What it is
    let about: String
    let id: String
    let made: String
    let expires: String
    let never: String
    let tags: String
    let purposes: String
    let clicksAndOpens: OfTwo
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
