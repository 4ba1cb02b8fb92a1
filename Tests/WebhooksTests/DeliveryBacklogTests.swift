import Identifiers
import TestSupport
import Testing

@testable import Webhooks

/// Since when events wait, of several endpoints.
@Suite struct DeliveryBacklogTests {
    @Test("an endpoint that pauses has an old event, and none that is due")
    func pause() {
        var backlog = DeliveryBacklog()
        backlog.add(oldest: .noon, dueAt: .noon + 900_001, at: .noon + 900_000)
        #expect(backlog.oldestEvent == .noon)
        #expect(backlog.dueSince == nil)
    }

    @Test("when the pause is over the event is due since then, and as old as before")
    func afterPause() {
        var backlog = DeliveryBacklog()
        backlog.add(oldest: .noon, dueAt: .noon + 900_000, at: .noon + 900_000)
        #expect(backlog.oldestEvent == .noon)
        #expect(backlog.dueSince == .noon + 900_000)
    }

    @Test("of several endpoints the oldest event counts, and by itself the one that is due for longest")
    func several() {
        var backlog = DeliveryBacklog()
        backlog.add(oldest: .noon + 20, dueAt: .noon + 50, at: .noon + 99)
        backlog.add(oldest: .noon + 10, dueAt: .noon + 500, at: .noon + 99)
        backlog.add(oldest: .noon + 30, dueAt: .noon, at: .noon + 99)
        #expect(backlog.oldestEvent == .noon + 10)
        #expect(backlog.dueSince == .noon + 30)
    }
}
