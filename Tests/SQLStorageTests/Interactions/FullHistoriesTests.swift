import Identifiers
import Interactions
import Testing

@testable import SQLStorage

@Suite("What is remembered of people of whom as much is stored as is judged") struct FullHistoriesTests {
    private let ana: ActivityCounting.Person
    private let state = ForgettingState(erasures: 3, purged: 70)

    init() throws {
        let message = try #require(MessageID(rawValue: 5))
        ana = ActivityCounting.Person(message: message, recipient: 1)
    }

    private func clicks() -> StoredActivity {
        var kinds = InteractionKindSet()
        kinds.insert(.pushLinkClicked)
        return StoredActivity(fullOf: kinds)
    }

    @Test("they are remembered with the kinds of what they did, and nobody else is")
    func kinds() {
        let histories = FullHistories()
        histories.add(clicks(), of: ana, asOf: state)
        histories.add(StoredActivity(), of: .init(message: ana.message, recipient: 2), asOf: state)
        let known = histories.stored(of: ana, asOf: state)
        #expect(known?.isFull == true)
        #expect(known?.kinds.contains(.pushLinkClicked) == true)
        #expect(known?.kinds.contains(.messageOpened) == false)
        #expect(histories.stored(of: .init(message: ana.message, recipient: 2), asOf: state) == nil)
    }

    @Test(
        "they are read again once something was forgotten of their organization",
        arguments: [ForgettingState(erasures: 4, purged: 70), ForgettingState(erasures: 3, purged: 71), nil])
    func forgotten(now: ForgettingState?) {
        let histories = FullHistories()
        histories.add(clicks(), of: ana, asOf: state)
        #expect(histories.stored(of: ana, asOf: now) == nil)
    }

    @Test("they are read again once a write has failed")
    func failed() {
        let histories = FullHistories()
        histories.add(clicks(), of: ana, asOf: state)
        histories.removeAll()
        #expect(histories.stored(of: ana, asOf: state) == nil)
    }
}
