import Identifiers
import Testing

@Suite struct CountSumTests {
    @Test(
        "a sum of counts is held within its range",
        arguments: [
            (1, 2, 3), (-1, -2, -3), (Int.max, Int.max, Int.greatestCountSum), (.max, 1, Int.greatestCountSum),
            (.min, .min, -Int.greatestCountSum), (.min, -1, -Int.greatestCountSum), (.max, .min, -1),
            (Int.greatestCountSum, 1, Int.greatestCountSum), (Int.greatestCountSum, -1, Int.greatestCountSum - 1),
        ])
    func held(_ one: Int, _ other: Int, _ sum: Int) {
        #expect(Int.countSum(one, other) == sum)
        #expect(Int.countSum(other, one) == sum)
        #expect([one, other].countSum == Int.countSum(Int.countSum(0, one), other))
        var count = one
        count.addCount(other)
        #expect(count == sum)
    }

    @Test("of nothing it is 0")
    func nothing() { #expect([Int]().countSum == 0) }
}
