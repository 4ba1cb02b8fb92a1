import HTTPAPI
import Testing

/// Whether a front must be told that the process ends.
@Suite struct DepartureTests {
    private static let start = ContinuousClock.now

    private static func departure(asked seconds: [Int]) -> Departure {
        let departure = Departure()
        for second in seconds { departure.recordProbe(at: start + .seconds(second)) }
        return departure
    }

    @Test(
        "a front is who has asked twice within five seconds",
        arguments: [
            ([], 0, false), ([0], 0, false), ([0, 1], 1, true), ([0, 1, 2], 2, true), ([0, 4], 4, true),
            ([0, 5], 5, false), ([0, 1], 6, false), ([0, 100, 101], 102, true),
        ] as [([Int], Int, Bool)])
    func watched(_ asked: [Int], _ now: Int, _ isWatched: Bool) {
        #expect(Self.departure(asked: asked).isWatched(at: Self.start + .seconds(now)) == isWatched)
    }

    @Test("it has begun once it was begun")
    func begun() {
        let departure = Departure()
        #expect(!departure.hasBegun)
        departure.begin()
        #expect(departure.hasBegun)
    }
}
