import Identifiers
import TestSupport
import Testing

@Suite struct TimeOrderedNumberTests {
    @Test("a number is positive and fits 63 bits")
    func range() {
        #expect(TimeOrderedNumber(rawValue: 0) == nil)
        #expect(TimeOrderedNumber(rawValue: 1) != nil)
        #expect(TimeOrderedNumber(rawValue: UInt64(Int64.max)) != nil)
        #expect(TimeOrderedNumber(rawValue: UInt64(Int64.max) + 1) == nil)
        #expect(TimeOrderedNumber(rawValue: .max) == nil)
    }

    @Test(
        "it is written in lower-case hexadecimal without leading zeros, and read back",
        arguments: [
            (UInt64(1), "1"), (0xA, "a"), (0x10, "10"), (0x33b2_e7a1_c04f_1d2a, "33b2e7a1c04f1d2a"),
            (UInt64(Int64.max), "7fffffffffffffff"),
        ]
    )
    func text(_ value: UInt64, _ text: String) throws {
        let number = try #require(TimeOrderedNumber(rawValue: value))
        #expect(number.description == text)
        #expect(try TimeOrderedNumber(text) == number)
        #expect(Int64(text, radix: 16) == Int64(value), "other systems read it as a signed integer")
    }

    @Test(
        "every other spelling is refused",
        arguments: [
            "", "0", "00", "01", "0a", "A", "33B2E7A1C04F1D2A", "+1", "-1", "0x1", "1 ", " 1", "1\n", "g", "1_0", "١",
            "8000000000000000", "ffffffffffffffff", "10000000000000000", "007fffffffffffffff", "1\u{301}",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: IdentifierError.number) { try TimeOrderedNumber(text) }
        #expect(throws: IdentifierError.number) { try MessageID(text) }
    }

    @Test("numbers are ordered as they were made, and so are the ids made of them")
    func order() throws {
        let one = try #require(TimeOrderedNumber(rawValue: 9))
        let other = try #require(TimeOrderedNumber(rawValue: 10))
        #expect(one < other)
        #expect(MessageID(one) < MessageID(other))
        #expect(DecisionID(other).description == "a")
        #expect(InteractionID(rawValue: 9)?.number == one)
        #expect(ConsentRecordID(rawValue: 0) == nil)
    }

    @Test(
        "a number says when it was made, and no earlier one can have it",
        arguments: [0, 1, 1_795_338_000_123, 4_398_046_511_103] as [Int64]
    )
    func timestamp(_ milliseconds: Int64) throws {
        let instant = Timestamp(millisecondsSince1970: milliseconds)
        let bound = TimeOrderedNumber.lowerBound(at: instant)
        let last = try #require(TimeOrderedNumber(rawValue: bound | (1 << TimeOrderedNumber.uniqueBits - 1)))
        #expect(last.timestamp == instant)
        guard let first = TimeOrderedNumber(rawValue: bound) else {
            #expect(milliseconds == 0)
            return
        }
        #expect(first.timestamp == instant)
        let before = try #require(TimeOrderedNumber(rawValue: bound - 1))
        #expect(before.timestamp == instant.advanced(byMilliseconds: -1))
    }

    @Test("moments that no number can have get the bounds of what one can")
    func bounds() {
        #expect(TimeOrderedNumber.lowerBound(at: .distantPast) == 0)
        #expect(TimeOrderedNumber.lowerBound(at: Timestamp(millisecondsSince1970: -1)) == 0)
        #expect(TimeOrderedNumber.lowerBound(at: .distantFuture) <= UInt64(Int64.max))
        #expect(TimeOrderedNumber.lowerBound(at: .distantFuture) == UInt64(1 << 42 - 1) << 21)
    }
}

@Suite struct TimeOrderedSequenceTests {
    @Test("numbers grow and never repeat, while the clock stands, leaps and goes back")
    func grows() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 1)
        var now = Timestamp.noon
        var last: UInt64 = 0
        for _ in 0..<100_000 {
            switch UInt8.random(in: 0..<8, using: &generator) {
            case 0: now = now.advanced(byMilliseconds: 1)
            case 1: now = now.advanced(byMilliseconds: -.random(in: 0..<5000, using: &generator))
            case 2: now = now.advanced(byMilliseconds: .random(in: 0..<5000, using: &generator))
            default: break
            }
            let next = sequence.next(at: now, using: &generator)
            guard next.rawValue > last else {
                Issue.record("\(next.rawValue) came after \(last)")
                return
            }
            last = next.rawValue
        }
    }

    @Test("a number's time is the moment it was asked for")
    func timestamp() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 2)
        for step in 0..<1000 as Range<Int64> {
            let now = Timestamp.noon.advanced(byMilliseconds: step)
            #expect(sequence.next(at: now, using: &generator).timestamp == now)
        }
    }

    @Test("ten thousand of one millisecond still say that millisecond")
    func burst() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 3)
        let numbers = (0..<10_000).map { _ in sequence.next(at: .noon, using: &generator) }
        #expect(numbers.allSatisfy { $0.timestamp == Timestamp.noon })
        #expect(Set(numbers).count == 10_000)
        #expect(numbers == numbers.sorted())
    }

    @Test("while the clock is behind, the time stays where it was")
    func clockGoesBack() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 4)
        let before = sequence.next(at: .noon, using: &generator)
        let after = sequence.next(at: Timestamp.noon.advanced(byMilliseconds: -3_600_000), using: &generator)
        #expect(after > before)
        #expect(after.timestamp == Timestamp.noon)
    }

    @Test("it goes on after the greatest number in use, even one of the future")
    func continuation() throws {
        var generator = SeededGenerator(seed: 5)
        let stored = try #require(
            TimeOrderedNumber(
                rawValue: TimeOrderedNumber.lowerBound(at: Timestamp.noon.advanced(byMilliseconds: 60_000))))
        var sequence = TimeOrderedSequence(after: stored)
        #expect(sequence.next(at: .noon, using: &generator) > stored)
    }

    @Test("a clock before 1970 gives numbers all the same")
    func prehistory() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 6)
        let one = sequence.next(at: Timestamp(millisecondsSince1970: -1), using: &generator)
        #expect(sequence.next(at: .distantPast, using: &generator) > one)
    }

    @Test("nobody can tell the next number from the last")
    func unpredictable() {
        var sequence = TimeOrderedSequence()
        var generator = SeededGenerator(seed: 7)
        let steps = (0..<1000).map { _ in sequence.next(at: .noon, using: &generator).rawValue }
        #expect(Set(zip(steps.dropFirst(), steps).map { $0 &- $1 }).count > 20)
    }
}
