import Identifiers
import Testing

@Suite struct MessagePurposesTests {
    @Test("one purpose of both activities is one purpose")
    func shared() throws {
        let offers = try Purpose("offers")
        for purposes in [MessagePurposes(both: offers), MessagePurposes(clicks: offers, opens: offers)] {
            #expect(purposes.shared == offers)
            #expect(purposes.distinct == [offers])
            #expect(purposes[.clicks] == offers && purposes[.opens] == offers)
        }
    }

    @Test("two purposes are told apart, that of the clicks first")
    func apart() throws {
        let purposes = try MessagePurposes(clicks: .tracking, opens: Purpose("open-tracking"))
        #expect(purposes.shared == nil)
        #expect(purposes.distinct == [purposes.clicks, purposes.opens])
        #expect(purposes[.clicks] == .tracking && purposes[.opens].description == "open-tracking")
        #expect(MessagePurposes.tracking == MessagePurposes(both: .tracking))
    }

    @Test("the numbers of the activities are the stored ones")
    func codes() {
        #expect(TrackedActivity.allCases.map(\.code) == [1, 2])
        #expect(TrackedActivity.allCases.map(\.rawValue) == ["clicks", "opens"])
    }
}
