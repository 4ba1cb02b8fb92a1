import Testing

@testable import Redirect

@Suite struct CommitPaceTests {
    private let start = ContinuousClock.now
    private var pace = CommitPace(interval: .microseconds(750))

    /// - Parameters:
    ///   - begin: in microseconds.
    ///   - length: in microseconds.
    private mutating func rest(afterCommitOf count: Int, at begin: Int, length: Int = 200) -> Duration? {
        let begin = start.advanced(by: .microseconds(begin))
        return pace.rest(afterCommitOf: count, from: begin, to: begin.advanced(by: .microseconds(length)))
    }

    @Test("after the first commit, of however many, nothing waits")
    mutating func first() { #expect(rest(afterCommitOf: 100_000, at: 0) == nil) }

    @Test("while few come, nothing waits: neither single ones nor 15,000 a second")
    mutating func few() {
        for second in 1...10 { #expect(rest(afterCommitOf: 1, at: second * 1_000_000) == nil) }
        for commit in 1...10 { #expect(rest(afterCommitOf: 15, at: 20_000_000 + commit * 1_000) == nil) }
    }

    @Test("while many come, the next commit starts an interval after the start of the last one")
    mutating func many() {
        _ = rest(afterCommitOf: 10, at: 0)
        #expect(rest(afterCommitOf: 10, at: 300) == .microseconds(550))
        #expect(rest(afterCommitOf: 17, at: 1_050) == .microseconds(550))
        #expect(rest(afterCommitOf: 100, at: 1_800, length: 749) == .microseconds(1))
    }

    @Test("a disk that takes the interval or longer holds nothing up further")
    mutating func slowDisk() {
        _ = rest(afterCommitOf: 10, at: 0)
        #expect(rest(afterCommitOf: 100, at: 300, length: 750) == nil)
        #expect(rest(afterCommitOf: 10_000, at: 1_050, length: 60_000) == nil)
    }

    @Test("the pace ends when fewer come, at once")
    mutating func fewAgain() {
        _ = rest(afterCommitOf: 100, at: 0)
        #expect(rest(afterCommitOf: 100, at: 750) != nil)
        #expect(rest(afterCommitOf: 3, at: 1_500) == nil)
    }

    @Test("work without a click lets nothing wait")
    mutating func noClicks() {
        _ = rest(afterCommitOf: 100, at: 0)
        #expect(rest(afterCommitOf: 0, at: 1) == nil)
    }
}
