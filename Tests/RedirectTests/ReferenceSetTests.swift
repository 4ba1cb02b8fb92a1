import Identifiers
import TestSupport
import Testing

@testable import Redirect

@Suite struct ReferenceSetTests {
    /// Numbers that are spread as references are, and numbers that all belong in the same place.
    enum Numbers: CaseIterable {
        case random, crowded, last, shared

        func number(_ count: UInt64) -> UInt64 {
            switch self {
            case .random: (count + 1) &* 0x9E37_79B9_7F4A_7C15
            case .crowded: count + 1
            case .last: UInt64.max - count
            // Their own bits are the same, too.
            case .shared: (count + 1) << 48
            }
        }
    }

    @Test("it does what a set does, whatever is put in and taken out", arguments: Numbers.allCases)
    func model(_ numbers: Numbers) {
        var generator = SystemRandomNumberGenerator()
        var set = ReferenceSet()
        var model: Set<UInt64> = []
        for step in 0..<20_000 {
            let number = numbers.number(.random(in: 0..<300, using: &generator))
            if .random(in: 0..<5, using: &generator) < (step / 2000 % 2 == 0 ? 3 : 2) {
                set.insert(number)
                model.insert(number)
            } else {
                set.remove(number)
                model.remove(number)
            }
            let other = numbers.number(.random(in: 0..<300, using: &generator))
            if set.contains(other) != model.contains(other) || set.count != model.count {
                Issue.record("step \(step) differs")
                return
            }
        }
        for number in (0..<300).map(numbers.number) { #expect(set.contains(number) == model.contains(number)) }
    }

    @Test("it takes as many as it was made for, and more", arguments: [0, 1, 2, 3, 7, 100, 1000])
    func capacity(_ capacity: Int) {
        var set = ReferenceSet(capacity: capacity)
        let numbers = (0..<UInt64(capacity * 3 + 5)).map(Numbers.random.number)
        for number in numbers { set.insert(number) }
        #expect(set.count == numbers.count)
        #expect(numbers.allSatisfy(set.contains))
        #expect(!set.contains(Numbers.random.number(1 << 40)))
    }

    @Test("references that share their first bits begin in as many slots as others do")
    func runs() {
        #expect(ReferenceSet.sharedBits == RecipientReferenceSequence.sharedBits)
        var generator = SeededGenerator(seed: 3)
        var sequence = RecipientReferenceSequence()
        let set = ReferenceSet(capacity: 4_096)
        // The recipients of one shard of a revocation list, who have the last bits in common as well.
        let homes = (0..<4_096).map { _ in
            set.home(of: sequence.next(using: &generator).rawValue & ~63)
        }
        // Of 5,462 slots, 4,096 independent ones are 2,882 different ones on average.
        #expect(Set(homes).count > 2_700)
    }

    @Test("a set that has grown has at most five slots for three references")
    func slots() {
        var set = ReferenceSet()
        for number in 0..<UInt64(20_000) {
            set.insert(Numbers.random.number(number))
            // Four slots for three references, a quarter more, and the slots that small sets have at least.
            #expect(set.slots.count <= set.count * 5 / 3 + 8)
        }
    }

    @Test("twice in is once in, and once out is out")
    func twice() {
        var set = ReferenceSet()
        set.insert(7)
        set.insert(7)
        #expect(set.count == 1)
        set.remove(7)
        set.remove(7)
        #expect(set.count == 0)
        #expect(!set.contains(7))
    }
}
