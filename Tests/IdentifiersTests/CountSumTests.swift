import Identifiers
import Testing

@Suite struct CountSumTests {
    @Test(
        "a sum of counts is held within its range",
        arguments: [
            (1, 2, 3), (-1, -2, -3), (Int.max, Int.max, Int.maximumCountSum), (.max, 1, Int.maximumCountSum),
            (.min, .min, -Int.maximumCountSum), (.min, -1, -Int.maximumCountSum), (.max, .min, -1),
            (Int.maximumCountSum, 1, Int.maximumCountSum), (Int.maximumCountSum, -1, Int.maximumCountSum - 1),
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
