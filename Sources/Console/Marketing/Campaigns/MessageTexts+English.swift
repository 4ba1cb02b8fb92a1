extension MessageTexts {
    static let english = MessageTexts(
        back: "All messages", people: "People", payloads: { "composed \($0.of("time", "times"))" }, tracked: "Tracked",
        ofPeople: { "\($0) of \($1.of("person", "people"))" }, clicked: "Clicked, of the tracked",
        opened: "Opened, of the tracked", interval: { "between \($0) and \($1), with 95% confidence" },
        clickedOfAll: "Clicked, of all people", openedOfAll: "Opened, of all people", range: { "\($0) to \($1)" },
        clickBounds: {
            """
            \($0.of("person is", "people are")) not tracked. The lower number is right if none of them clicked, the \
            higher one if all did.
            """
        },
        openBounds: {
            """
            The service does not know of \($0.of("person", "people")) whether they opened it. The lower number is \
            right if none did, the higher one if all did.
            """
        },
        unknown: "not known: older data was deleted", notMeasured: "opens of this message are not measured",
        nobodyTracked: "no person is tracked",
        openedAtMost: { "at most \($0), if opens that may be a machine’s count too" },
        clickedOfTracked: {
            """
            \($0) of \($1.of("tracked person", "tracked people")) clicked: between \($2) and \($3), with 95% confidence.
            """
        },
        noneTracked: "No person is tracked in this message, so it is not known how many clicked.",
        notKept: "How many people clicked is not known: older data was deleted.",
        noneComposed: "The message has not been composed yet.", composedBar: "Composed for", trackedBar: "Tracked",
        clickedBar: "Clicked", funnel: "Composed, tracked, clicked", links: "Links",
        bestLink: { "The most followed link is “\($0)”: \($1.of("click", "clicks")) by \($2.of("person", "people"))." },
        noClicks: "No tracked link has been followed yet.", byPeople: { $0.of("person", "people") },
        firstLinks: {
            """
            Of \($0.of("link", "links")), the chart has the \($1) with the most clicks, and its table \($2). The files \
            have all.
            """
        },
        addedLinks: "Links that single recipients have",
        addedFollowed: { "Links that single recipients have were followed \($0.of("time", "times")) in all." },
        ownLink: "The message’s own link", inMail: "In the mail", inText: "In the mail’s plain text",
        button: { "Button \($0)" }, hours: "Clicks by hour since the message was created",
        early: {
            """
            \($0.of("click", "clicks")) in all: \($1) within the first hour, \($2) within the first 24 hours.
            """
        },
        days: "Clicks by day", bestDay: { "The day with the most clicks was \($0), with \($1.of("click", "clicks"))." },
        newestDays: { "Clicks by day: the newest \($0) of \($1). The files have all." }, clicks: "Clicks",
        opens: "Opens", clickers: "People who clicked", openers: "People who opened",
        openKinds: "Opens by people and by machines",
        openFinding: {
            """
            People opened it \($0.of("time", "times")); machines, such as mail programs, \($1.of("time", "times")). \
            Of \($2.of("open", "opens")) it is not known whether a person or a machine did it.
            """
        },
        noOpens: "No open has been recorded yet.", interactions: "All recorded interactions",
        noInteractions: "No interaction has been recorded yet.", about: "About this message", id: "ID", made: "Created",
        expires: "Clicks and opens are recorded until", never: "the end of each link’s lifetime", tags: "Tags",
        purposes: "Consent needed for",
        clicksAndOpens: { "\($0) (clicks), \($1) (opens)" }, countedUntil: "People counted until",
        countedUntilHint: """
            Then older interactions were deleted. Later clicks and opens are added to the totals, but no longer to the \
            numbers of people. As soon as there are any, it is not known how many people clicked and opened.
            """,
        step: "Step", forOpens: "People, for opens", link: "Link", place: "Place", target: "Leads to", day: "Day",
        hour: "Hour", visitor: "Opened by", kind: "Interaction", total: "Total", automated: "By machines",
        suspected: "Suspected scanners", untracked: "People who are not tracked, by reason", rates: "Rates",
        bounds: "Bounds for all people", decisions: "Decisions by reason", switchOff: "Switch off",
        switchOffHint: """
            While the message is switched off, its links do not work: readers see a page about it, and no click is \
            recorded.
            """,
        switchOn: "Switch on", switchOnHint: "The links of the message work again.")
}
