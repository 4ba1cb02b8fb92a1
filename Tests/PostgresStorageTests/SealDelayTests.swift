import StoragePorts
import Testing

@testable import PostgresStorage

@Suite struct SealDelayTests {
    private let start = ContinuousClock.now
    private let busy = SealObstacle.failure("busy")
    private let older: SealObstacle
    private let other: SealObstacle

    init() throws {
        older = .olderNode(try #require(NodeName("old")))
        other = .olderNode(try #require(NodeName("older")))
    }

    /// Whether the log has each obstacle, after these numbers of seconds.
    private func told(_ notes: [(SealObstacle, Int)]) -> [Bool] {
        var delay = SealDelay()
        return notes.map { obstacle, seconds in delay.note(obstacle, at: start + .seconds(seconds)) }
    }

    @Test("an obstacle is told once, when it has lasted for more than a minute")
    func once() {
        for obstacle in [busy, older] {
            #expect(
                told([(obstacle, 0), (obstacle, 60), (obstacle, 61), (obstacle, 70)]) == [false, false, true, false])
        }
    }

    @Test("another failure continues a failure, and another node a wait: each is told once")
    func others() {
        let full = SealObstacle.failure("full")
        #expect(
            told([(busy, 0), (full, 61), (busy, 62), (full, 63), (busy, 64)]) == [false, true, true, false, false])
        #expect(told([(older, 0), (other, 61), (older, 62)]) == [false, true, true])
    }

    @Test("a failure after a wait, and a wait after a failure, have a minute of their own")
    func change() {
        #expect(told([(older, 0), (busy, 61), (busy, 121), (busy, 122)]) == [false, false, false, true])
        #expect(told([(busy, 0), (older, 61), (busy, 62), (busy, 100)]) == [false, false, false, false])
    }
}
