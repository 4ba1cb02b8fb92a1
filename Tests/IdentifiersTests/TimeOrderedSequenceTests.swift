import Identifiers
import TestSupport
import Testing

@Suite struct TimeOrderedSequenceTests {
    /// Moments that a clock shows which stands, ticks, leaps and goes back.
    private struct ClockWalk {
        private(set) var now = Timestamp.noon

        mutating func step(_ generator: inout SeededGenerator) {
            switch UInt8.random(in: 0..<8, using: &generator) {
            case 0: now = now + 1
            case 1: now = now + -.random(in: 0..<5000, using: &generator)
            case 2: now = now + .random(in: 0..<5000, using: &generator)
            default: break
            }
        }
    }

    private static func slot(_ rawValue: UInt8) throws -> NodeSlot { try #require(NodeSlot(rawValue: rawValue)) }

    /// The slot that a number carries: the seven bits above the fourteen of the count.
    private static func slotBits(_ number: TimeOrderedNumber) -> UInt64 { number.rawValue >> 14 & 0x7F }

    private static func count(_ number: TimeOrderedNumber) -> UInt64 { number.rawValue & 0x3FFF }

    @Test("no number is made twice on any node, each sequence grows, and no time is earlier than it was asked at")
    func nodes() throws {
        var generator = SeededGenerator(seed: 1)
        let slots: [UInt8] = [0, 1, 2, 63, 126, 127]
        var sequences = try slots.map { TimeOrderedSequence(slot: try Self.slot($0)) }
        var clocks = slots.map { _ in ClockWalk() }
        var last = slots.map { _ in UInt64(0) }
        var made: Set<UInt64> = []
        for _ in 0..<200_000 {
            let node = Int.random(in: 0..<slots.count, using: &generator)
            clocks[node].step(&generator)
            let next = sequences[node].next(at: clocks[node].now, using: &generator)
            guard next.rawValue > last[node], made.insert(next.rawValue).inserted,
                Self.slotBits(next) == UInt64(slots[node]), next.timestamp >= clocks[node].now
            else {
                Issue.record("slot \(slots[node]) made \(next) after \(last[node]) at \(clocks[node].now)")
                return
            }
            last[node] = next.rawValue
        }
    }

    @Test("a sequence that begins again keeps its slot and grows beyond what any node has stored", arguments: 0..<8)
    func restarts(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let slot = try Self.slot(UInt8.random(in: 0...127, using: &generator))
        var sequence = TimeOrderedSequence(slot: slot)
        var clock = ClockWalk()
        var greatest: TimeOrderedNumber?
        for _ in 0..<20_000 {
            clock.step(&generator)
            if UInt8.random(in: 0..<16, using: &generator) == 0 {
                // Another node, or a version without slots, may have stored any number of these milliseconds.
                let other =
                    (greatest?.rawValue ?? TimeOrderedNumber.lowerBound(at: clock.now))
                    + .random(in: 0..<3 << 21, using: &generator)
                greatest = TimeOrderedNumber(rawValue: other)
                sequence = TimeOrderedSequence(slot: slot, after: greatest)
            }
            let next = sequence.next(at: clock.now, using: &generator)
            #expect(Self.slotBits(next) == UInt64(slot.rawValue))
            #expect(next.timestamp >= clock.now)
            if let greatest { #expect(next > greatest) }
            greatest = next
        }
    }

    @Test(
        "after the greatest number in use comes the next of the slot, whichever slot made that one",
        arguments: [
            (greatest: UInt64(2), count: UInt64(7), next: UInt64(3), nextCount: UInt64(0), milliseconds: Int64(0)),
            (3, 7, 3, 8, 0), (4, 7, 3, 0, 1), (3, 0x3FFF, 3, 0, 1), (2, 0x3FFF, 3, 0, 0), (127, 0x3FFF, 3, 0, 1),
            (127, 0x3FFF, 127, 0, 1), (127, 0x3FFF, 0, 0, 1), (0, 0, 0, 1, 0),
        ]
    )
    func successor(_ greatest: UInt64, _ count: UInt64, _ slot: UInt64, _ next: UInt64, _ later: Int64) throws {
        var generator = SeededGenerator(seed: 5)
        let stored = TimeOrderedNumber.lowerBound(at: .noon) | greatest << 14 | count
        var sequence = TimeOrderedSequence(
            slot: try Self.slot(UInt8(slot)), after: TimeOrderedNumber(rawValue: stored))
        // The clock is behind what is stored.
        let number = sequence.next(at: .noon + -1000, using: &generator)
        #expect(number.timestamp == .noon + later)
        #expect(Self.slotBits(number) == slot)
        #expect(Self.count(number) == next)
    }

    @Test(
        "a number that no node makes uses up no others",
        arguments: [UInt64(Int64.max), TimeOrderedNumber.endOfMade, TimeOrderedNumber.endOfMade + 1])
    func forged(_ forged: UInt64) throws {
        var generator = SeededGenerator(seed: 6)
        let number = try #require(TimeOrderedNumber(rawValue: forged))
        var sequence = TimeOrderedSequence(slot: .single, after: number)
        #expect(sequence.greatest == nil)
        sequence.follow(number)
        #expect(sequence.next(at: .noon, using: &generator).timestamp == .noon)
    }

    @Test("a number's time is the moment it was asked for")
    func timestamp() {
        var sequence = TimeOrderedSequence(slot: .single)
        var generator = SeededGenerator(seed: 2)
        for step in 0..<1000 as Range<Int64> {
            let now = Timestamp.noon + step
            #expect(sequence.next(at: now, using: &generator).timestamp == now)
        }
    }

    @Test("as many as a request may make stand together in one millisecond", arguments: 0..<64)
    func batch(_ seed: UInt64) throws {
        var sequence = TimeOrderedSequence(slot: try Self.slot(9))
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<10_000).map { _ in sequence.next(at: .noon, using: &generator).rawValue }
        #expect(numbers == Array(numbers[0]..<(numbers[0] + 10_000)))
        #expect(TimeOrderedNumber(rawValue: numbers[9999])?.timestamp == .noon)
    }

    @Test("numbers that belong together have one time, wherever the count ends", arguments: 0..<16)
    func together(_ seed: UInt64) throws {
        var sequence = TimeOrderedSequence(slot: try Self.slot(9))
        var generator = SeededGenerator(seed: seed)
        // Of a single number before them it depends whether a pair would meet the end of the count.
        var last = sequence.next(at: .noon, using: &generator)
        if seed.isMultiple(of: 2) { last = sequence.next(at: .noon, using: &generator) }
        for _ in 0..<20_000 {
            let first = sequence.next(at: .noon, following: 1, using: &generator)
            let second = sequence.next(at: .noon, using: &generator)
            #expect(last < first && first < second && first.timestamp == second.timestamp)
            #expect(Self.slotBits(first) == 9 && Self.slotBits(second) == 9)
            last = second
        }
    }

    @Test("a count that is used up goes on in the next millisecond, and the clock catches up")
    func overflow() throws {
        var sequence = TimeOrderedSequence(slot: try Self.slot(127))
        var generator = SeededGenerator(seed: 3)
        let numbers = (0..<40_000).map { _ in sequence.next(at: .noon, using: &generator) }
        #expect(numbers == Set(numbers).sorted())
        #expect(numbers.allSatisfy { Self.slotBits($0) == 127 })
        let times = numbers.map { $0.timestamp.millisecondsSince1970 - Timestamp.noon.millisecondsSince1970 }
        #expect(Set(times) == [0, 1, 2])
        #expect(times.filter { $0 == 1 }.count == 16_384)
        #expect(sequence.next(at: .noon + 3, using: &generator).timestamp == .noon + 3)
    }

    @Test("while the clock is behind, the time stays where it was")
    func clockGoesBack() {
        var sequence = TimeOrderedSequence(slot: .single)
        var generator = SeededGenerator(seed: 4)
        let before = sequence.next(at: .noon, using: &generator)
        let after = sequence.next(at: .noon + -3_600_000, using: &generator)
        #expect(after > before)
        #expect(after.timestamp == Timestamp.noon)
    }

    @Test("a clock before 1970 gives numbers all the same", arguments: [0, 127] as [UInt8])
    func prehistory(_ slot: UInt8) throws {
        var sequence = TimeOrderedSequence(slot: try Self.slot(slot))
        var generator = SeededGenerator(seed: 6)
        let one = sequence.next(at: Timestamp(millisecondsSince1970: -1), using: &generator)
        #expect(sequence.next(at: .distantPast, using: &generator) > one)
    }

    @Test("the first number of a millisecond does not tell how many were made before it")
    func firstCounts() {
        var sequence = TimeOrderedSequence(slot: .single)
        var generator = SeededGenerator(seed: 7)
        let counts = (0..<1000 as Range<Int64>).map {
            Self.count(sequence.next(at: .noon + $0, using: &generator))
        }
        #expect(Set(counts).count > 800)
        #expect(counts.allSatisfy { $0 < 4096 })
    }
}
