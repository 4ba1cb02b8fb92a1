/// What the page of a message says.
struct MessageTexts: Sendable {
    /// Says something of two texts, such as numbers.
    typealias OfTwo = @Sendable (String, String) -> String

    let back: String
    // Facts
    let people: String
    let payloads: @Sendable (String) -> String
    let tracked: String
    let ofPeople: OfTwo
    let clicked: String
    let opened: String
    let interval: OfTwo
    let everybody: String
    let range: OfTwo
    let bounds: @Sendable (String) -> String
    let unknown: String
    let notMeasured: String
    let openedAtMost: @Sendable (String) -> String
    // What became of it
    let clickedOfTracked: @Sendable (String, String, String, String) -> String
    let noneTracked: String
    let notKept: String
    let noneComposed: String
    let composedBar: String
    let trackedBar: String
    let clickedBar: String
    let funnel: String
    // Links
    let links: String
    let bestLink: @Sendable (String, String, String) -> String
    let noClicks: String
    let byPeople: @Sendable (String) -> String
    let firstLinks: OfTwo
    let ownLink: String
    let inMail: String
    let inText: String
    let button: @Sendable (Int) -> String
    // Time
    let hours: String
    let early: @Sendable (String, String, String) -> String
    let days: String
    let bestDay: OfTwo
    let clicks: String
    let opens: String
    let clickers: String
    let openers: String
    // Machines
    let openKinds: String
    let openFinding: @Sendable (String, String, String) -> String
    let noOpens: String
    let interactions: String
    let noInteractions: String
    // What it is
    let about: String
    let id: String
    let made: String
    let expires: String
    let never: String
    let state: String
    let tags: String
    let purposes: String
    let clicksAndOpens: OfTwo
    let countedUntil: String
    let countedUntilHint: String
    // Columns
    let measure: String
    let count: String
    let reason: String
    let forOpens: String
    let value: String
    let low: String
    let high: String
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
    let decisions: String
    // Switching
    let switchOff: String
    let switchOffHint: String
    let switchOn: String
    let switchOnHint: String

    static let all = Wording(english: english, german: german)
}
