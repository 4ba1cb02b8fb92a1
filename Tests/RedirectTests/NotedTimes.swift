import TestSupport
import Testing

@testable import Redirect

/// What was told of requests that are answered before the router.
final class NotedTimes: AnsweredRouteTimes {
    private let notes = Note((waiting: 0, answered: [AnsweredRoute]()))

    /// How many requests wait.
    var waiting: Int { notes.value.waiting }
    var answered: [AnsweredRoute] { notes.value.answered }

    func began(_: AnsweredRoute) { notes.value.waiting += 1 }
    func ended(_: AnsweredRoute) { notes.value.waiting -= 1 }
    func answered(_ route: AnsweredRoute, nanoseconds: Int64) {
        #expect(nanoseconds >= 0)
        notes.value.answered.append(route)
    }
}
