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
