import Identifiers
import TestSupport
import Testing

@Suite struct ServiceTimeTests {
    private static let second: Int64 = 1_000_000_000
    /// By the wall clock, when the monotonic clock shows zero.
    private static let noon: Int64 = 1_795_348_800 * second

    @Test("it is the wall clock's time while that only goes on")
    func steady() {
        var time = ServiceTime(Self.noon, at: 0)
        for seconds in 0...100 as ClosedRange<Int64> {
            let elapsed = seconds * Self.second
            time = time.following(wall: Self.noon + elapsed, monotonic: elapsed)
                .paced(wall: Self.noon + elapsed, monotonic: elapsed)
            #expect(time.nanoseconds(at: elapsed) == Self.noon + elapsed)
            #expect(time.pace == .full)
        }
    }

    @Test("it follows a step ahead at once", arguments: [1, 3600, 157_680_000] as [Int64])
    func ahead(_ seconds: Int64) {
        let time = ServiceTime(Self.noon, at: 0)
        let wall = Self.noon + seconds * Self.second
        let followed = time.following(wall: wall, monotonic: 10)
        #expect(followed.nanoseconds(at: 10) == wall)
        #expect(followed.lead(wall: wall, monotonic: 10) == .zero)
    }

    @Test(
        "after a step back it goes on at half pace until the wall clock has caught up", arguments: [1, 3600] as [Int64])
    func back(_ seconds: Int64) {
        let step = seconds * Self.second
        let before = ServiceTime(Self.noon, at: 0)
        let behind = Self.noon - step
        #expect(before.following(wall: behind, monotonic: 0) == before)
        let slowed = before.paced(wall: behind, monotonic: 0)
        #expect(slowed.pace == .half)
        #expect(slowed.nanoseconds(at: 0) == Self.noon)
        #expect(slowed.nanoseconds(at: Self.second) == Self.noon + Self.second / 2)
        #expect(slowed.lead(wall: behind + step, monotonic: step) == .nanoseconds(step / 2))
        // After twice the step they agree, and from then on it keeps the wall clock's pace.
        let end = 2 * step
        #expect(slowed.lead(wall: behind + end, monotonic: end) == .zero)
        let later = end + Self.second
        #expect(slowed.following(wall: behind + later, monotonic: later).pace == .full)
    }

    @Test("the noise of two readings changes nothing", arguments: [-9_000_000, -1, 0, 1, 90_000] as [Int64])
    func noise(_ nanoseconds: Int64) {
        let time = ServiceTime(Self.noon, at: 0)
        let wall = Self.noon + nanoseconds
        #expect(time.following(wall: wall, monotonic: 0).paced(wall: wall, monotonic: 0) == time)
    }

    @Test("a word keeps all of it", arguments: [0, 1, 999, 1_795_348_800_000_000_001, ServiceTime.end] as [Int64])
    func word(_ nanoseconds: Int64) {
        for pace in [ServiceTime.Pace.full, .half] {
            for monotonic in [Int64(0), 3, 100 * 365 * 86_400 * Self.second] {
                let time = ServiceTime(nanoseconds, at: monotonic, pace)
                #expect(ServiceTime(word: time.word) == time)
                #expect(ServiceTime(word: time.word).nanoseconds(at: monotonic) == nanoseconds)
            }
        }
    }

    @Test("a clock beyond all bounds is kept within what ids can carry", arguments: [.min, -1, .max] as [Int64])
    func bounds(_ wall: Int64) {
        let time = ServiceTime(wall, at: 5).following(wall: wall, monotonic: 5).paced(wall: 0, monotonic: 5)
        #expect((0...ServiceTime.end).contains(time.nanoseconds(at: .max / 4)))
        var generator = SeededGenerator(seed: 1)
        var sequence = TimeOrderedSequence(slot: .single)
        let instant = Timestamp(millisecondsSince1970: time.nanoseconds(at: .max / 4) / 1_000_000)
        #expect(sequence.next(at: instant, using: &generator).timestamp == instant)
    }

    @Test("whatever the wall clock does, it never goes back and never stands still")
    func walk() {
        var generator = SeededGenerator(seed: 7)
        var (monotonic, wall) = (Int64(0), Self.noon)
        var time = ServiceTime(wall, at: monotonic)
        var last = time.nanoseconds(at: monotonic)
        for _ in 0..<1_000_000 {
            let elapsed = Int64.random(in: 1...3 * Self.second, using: &generator)
            monotonic += elapsed
            let steps: [Int64] = [0, 0, 0, 1000, Self.second, 3600 * Self.second, 86_400 * Self.second]
            let step = steps.randomElement(using: &generator) ?? 0
            wall += elapsed + (step == 0 ? 0 : Int64.random(in: -step...step, using: &generator))
            time = time.following(wall: wall, monotonic: monotonic)
            if Bool.random(using: &generator) { time = time.paced(wall: wall, monotonic: monotonic) }
            let now = time.nanoseconds(at: monotonic)
            guard now >= last + elapsed / 2 - 1, now >= wall - ServiceTime.toleratedLag else {
                Issue.record("from \(last) to \(now) in \(elapsed), with the wall clock at \(wall)")
                return
            }
            last = now
        }
    }
}
