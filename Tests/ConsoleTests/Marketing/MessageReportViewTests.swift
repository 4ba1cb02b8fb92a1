import Consent
import Identifiers
import Interactions
import Messages
import Pages
import Reports
import TestSupport
import Testing

@testable import Console

@Suite struct MessageReportViewTests {
    private static let person = "https://shop.example/basket/ana?user=ana%40example.com"

    private func link(_ index: UInt16, to target: String, at location: String) throws -> MessageLink {
        MessageLink(
            index: LinkIndex(rawValue: index), target: try TargetURL(stored: target), location: location,
            label: "For Ana", isTracked: true)
    }

    /// - Parameter clicks: by the indexes of links. 1 is the message's own; 2 and 3 are those of single recipients.
    private func view(
        clicks: [UInt16: Int], hasAdded: Bool = true, days: [CalendarDay] = [], language: ConsoleLanguage = .english
    ) throws -> MessageReportView {
        var content = Message(name: "sale")
        content.link = .init(target: try TargetURL(stored: "https://shop.example/offer"), isDeepLink: false)
        let added = [try link(2, to: Self.person, at: "html"), try link(3, to: Self.person + "&x", at: "text")]
        var activity = ActivityCounts()
        for (index, count) in clicks {
            activity[.link(LinkIndex(rawValue: index))] = ActivityTally(total: count, people: count)
        }
        for day in days { activity[.clicksOnDay(day)] = ActivityTally(total: 3, people: 1) }
        return MessageReportView(
            message: StoredMessage(
                id: MessageID(try #require(TimeOrderedNumber(rawValue: 77))), organization: try OrganizationID("acme"),
                content: content, createdAt: .noon, isDisabled: false, addedLinks: hasAdded ? added : []),
            counts: MessageCounts(
                decisions: [:], people: .together([:]), activity: MessageActivity(counts: activity),
                peopleCountedUntil: nil, tracksOpens: false),
            language: language)
    }

    private func file(_ name: String, of view: MessageReportView) throws -> [String] {
        let table = try #require(view.files.first { $0.name == name })
        return String(decoding: table.csv, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test("links of single recipients are shown as one sum, without where they lead and who followed them")
    func added() throws {
        let view = try view(clicks: [1: 5, 2: 3, 3: 1])
        #expect(
            try file("links", of: view) == [
                #""index","where","label","url","clicks","unique""#,
                #""1","link",,"https://shop.example/offer","5","5""#, #","added",,,"4","#,
            ])
        let chart = view.linkChart.text
        #expect(chart.contains("Links that single recipients have"))
        #expect(chart.contains("The most followed link is “shop.example/offer”: 5 clicks by 5 people."))
        let all = chart + view.files.map { String(decoding: $0.csv, as: UTF8.self) }.joined()
        for word in ["basket", "user=", "For Ana"] { #expect(!all.contains(word), "\(word)") }
    }

    @Test("no link is called the most followed where those of single recipients have more clicks together")
    func finding() throws {
        let most = try view(clicks: [1: 5, 2: 6])
        #expect(most.linkChart.text.contains("Links that single recipients have were followed 6 times in all."))
        let german = try view(clicks: [2: 1], language: .german)
        #expect(german.linkChart.text.contains("Links einzelner Empfänger wurden insgesamt 1-mal geöffnet."))
        #expect(try view(clicks: [:]).linkChart.text.contains("No tracked link has been followed yet."))
    }

    @Test("without links of single recipients nothing is said of them")
    func none() throws {
        let view = try view(clicks: [1: 1], hasAdded: false)
        #expect(try file("links", of: view).count == 2)
        #expect(!view.linkChart.text.contains("single recipients"))
    }

    @Test(
        "an action is named by its place, and any other text is shown as it is",
        arguments: [
            ("actions/0/link", "Button 1"), ("actions/65535/link", "Button 65536"), ("link", "The message’s own link"),
            ("actions/9223372036854775807/link", "actions/9223372036854775807/link"),
            ("actions//link", "actions//link"),
            ("actions/-1/link", "actions/-1/link"), ("other/1/link", "other/1/link"), ("", ""),
        ])
    func location(_ location: String, _ words: String) throws {
        #expect(try view(clicks: [:]).location(of: link(2, to: Self.person, at: location)) == words)
    }

    @Test(
        "days that lie ages apart, and numbers that no day has, make a chart",
        arguments: [(0, 2_932_896), (.min, .max), (.max - 1, .max)] as [(Int64, Int64)])
    func days(_ first: Int64, _ last: Int64) throws {
        let view = try view(clicks: [:], days: [CalendarDay(number: first), CalendarDay(number: last)])
        #expect(view.dayChart.text.contains("with 3 clicks."))
        #expect(view.dayChart.text.utf8.count < 20_000)
    }
}
