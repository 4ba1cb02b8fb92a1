import Identifiers
import Testing

@Suite struct TrackedActivitiesTests {
    @Test("what is tracked is both activities, one of them, or nothing", arguments: [true, false], [true, false])
    func combinations(_ clicks: Bool, _ opens: Bool) {
        let activities = TrackedActivities(clicks: clicks, opens: opens)
        #expect((activities != nil) == (clicks || opens))
        #expect(activities?.contains(.clicks) ?? false == clicks)
        #expect(activities?.contains(.opens) ?? false == opens)
    }

    @Test("a value of both activities is that of each, and values apart are told apart")
    func perActivity() {
        #expect(PerActivity.together(1)[.clicks] == 1 && PerActivity.together(1)[.opens] == 1)
        let apart = PerActivity.apart(clicks: 1, opens: 2)
        #expect(apart[.clicks] == 1 && apart[.opens] == 2)
        #expect(apart.map { $0 + 1 } == .apart(clicks: 2, opens: 3))
        #expect(PerActivity.together(1).map { $0 + 1 } == .together(2))
        #expect(apart.areApart && !PerActivity.together(1).areApart)
    }
}
