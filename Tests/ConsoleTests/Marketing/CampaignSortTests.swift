import Consent
import Identifiers
import Messages
import Reports
import TestSupport
import Testing

@testable import Console

@Suite struct CampaignSortTests {
    /// Newest first, as the archive has them.
    private static var rows: [CampaignRow] {
        [
            row("delta", 0, figures(tracked: 0, untracked: 9, clickers: 0)), row("Alpha", -1, nil),
            row("charlie", -2, figures(tracked: 4, untracked: 4, clickers: 1)),
            row("bravo", -3, figures(tracked: 8, untracked: 0, clickers: 1)),
            row("alpha", -4, figures(tracked: 4, untracked: 4, clickers: 3)),
        ]
    }

    private static func row(
        _ name: String, _ minute: Int64, _ figures: PeopleFigures?, madeAt: Timestamp? = nil
    ) -> CampaignRow {
        let madeAt = madeAt ?? Timestamp.noon + minute * 60_000
        let id = TimeOrderedNumber(rawValue: UInt64(1_000 + minute)).map { MessageID($0) }
        guard let id else { preconditionFailure("a number in range") }
        return CampaignRow(
            message: MessageSummary(
                id: id, name: name, tags: [], purposes: .tracking, createdAt: madeAt, expiresAt: nil,
                isDisabled: false), figures: figures)
    }

    private static func figures(tracked: Int, untracked: Int, clickers: Int) -> PeopleFigures {
        PeopleFigures(
            byReason: .together([.consentGiven: tracked, .noConsentRecord: untracked]),
            responders: Responders(clickers: clickers, openers: 0, possibleOpeners: 0, machineOpeners: 0),
            measuresOpens: false)
    }

    @Test(
        "rows are sorted; equals stay newest first, and what is not known comes last in every order",
        arguments: [
            (.made, .descending, "delta Alpha charlie bravo alpha"),
            (.made, .ascending, "alpha bravo charlie Alpha delta"),
            (.name, .ascending, "Alpha alpha bravo charlie delta"),
            (.name, .descending, "delta charlie bravo Alpha alpha"),
            (.people, .descending, "delta charlie bravo alpha Alpha"),
            (.people, .ascending, "charlie bravo alpha delta Alpha"),
            (.coverage, .descending, "bravo charlie alpha delta Alpha"),
            (.coverage, .ascending, "delta charlie alpha bravo Alpha"),
            (.clicks, .descending, "alpha charlie bravo delta Alpha"),
            (.clicks, .ascending, "bravo charlie alpha delta Alpha"),
        ] as [(CampaignSort.Key, ConsoleTable.Sort.Order, String)])
    func sorted(_ key: CampaignSort.Key, _ order: ConsoleTable.Sort.Order, _ names: String) {
        let sorted = CampaignSort(key: key, order: order).sorted(Self.rows)
        #expect(sorted.map(\.message.name).joined(separator: " ") == names)
    }

    @Test("of one millisecond the ids say which message was made first", arguments: [true, false])
    func oneMillisecond(_ isAscending: Bool) {
        let rows = [3, 2, 1].map { Self.row("\($0)", $0, nil, madeAt: .noon) }
        let sorted = CampaignSort(key: .made, order: isAscending ? .ascending : .descending).sorted(rows)
        #expect(sorted.map(\.message.name) == (isAscending ? ["1", "2", "3"] : ["3", "2", "1"]))
    }

    @Test("a heading leads to its usual order first, and then to the other one", arguments: CampaignSort.Key.allCases)
    func next(_ key: CampaignSort.Key) {
        let other: CampaignSort.Key = key == .made ? .name : .made
        let first = CampaignSort(key: other, order: .ascending).next(by: key)
        #expect(first == CampaignSort(key: key, order: key == .name ? .ascending : .descending))
        let second = first.next(by: key)
        #expect(second.key == key && second.order != first.order)
        #expect(second.next(by: key) == first)
    }

    @Test("every key has a name in every language", arguments: ConsoleLanguage.allCases)
    func names(_ language: ConsoleLanguage) {
        let names = CampaignSort.Key.allCases.map { CampaignTexts.all[language].name(of: $0) }
        #expect(Set(names).count == names.count && !names.contains(""))
    }
}
