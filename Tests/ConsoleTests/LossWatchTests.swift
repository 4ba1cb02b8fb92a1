import Counting
import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Console

/// Since when clicks are lost.
@Suite struct LossWatchTests {
    private func sample(_ counts: [UnrecordedReason: UInt64], refusal: UnrecordedReason? = nil) -> ActivitySample {
        ActivitySample(
            recorded: 0, unrecorded: counts, spoolDepth: 0,
            commits: Histogram(boundsInMicroseconds: [1]).reading, refusal: refusal)
    }

    @Test("a full disk is told with the time it was seen first, and with the clicks since")
    func full() {
        var watch = LossWatch()
        watch.add(sample([.full: 4, .rate: 9]), at: .noon)
        #expect(watch.isGoingOn)
        watch.add(sample([.full: 9, .rate: 20], refusal: .full), at: .noon + 1_000)
        #expect(watch.loss?.since == .noon)
        #expect(watch.loss?.clicks == 9)
        #expect(watch.loss?.reason == .full)
    }

    @Test(
        "what an organization or a link may not have recorded is no loss", arguments: [UnrecordedReason.quota, .rate])
    func intended(_ reason: UnrecordedReason) {
        var watch = LossWatch()
        watch.add(sample([reason: 4]), at: .noon)
        #expect(!watch.isGoingOn && watch.loss == nil)
    }

    @Test("a loss goes on while the next click would be lost, though none comes")
    func refusal() {
        var watch = LossWatch()
        for second in 0..<60 { watch.add(sample([.full: 1], refusal: .full), at: .noon + Int64(second) * 1_000) }
        #expect(watch.isGoingOn && watch.loss?.clicks == 1 && watch.loss?.since == .noon)
    }

    @Test("a loss ends after ten quiet seconds, and the next one begins anew")
    func end() {
        var watch = LossWatch()
        watch.add(sample([.stuck: 2]), at: .noon)
        watch.add(sample([.stuck: 2]), at: .noon + 9_999)
        #expect(watch.isGoingOn)
        watch.add(sample([.stuck: 2]), at: .noon + 10_000)
        #expect(!watch.isGoingOn)
        #expect(watch.loss?.clicks == 2)
        watch.add(sample([.stuck: 5]), at: .noon + 20_000)
        #expect(watch.isGoingOn && watch.loss?.clicks == 3 && watch.loss?.since == .noon + 20_000)
    }

    @Test("a clock that steps back ends no loss that goes on")
    func back() {
        var watch = LossWatch()
        watch.add(sample([.full: 1], refusal: .full), at: .noon)
        watch.add(sample([.full: 2], refusal: .full), at: .noon + -3_600_000)
        #expect(watch.isGoingOn && watch.loss?.clicks == 2)
    }
}
