import Testing

@testable import HTTPAPI

@Suite struct QueryMembersTests {
    /// A name that counts how often it is hashed or compared.
    private struct CountedName: Hashable {
        final class Counter { var steps = 0 }

        let number: Int
        let counter: Counter

        static func == (one: CountedName, other: CountedName) -> Bool {
            one.counter.steps += 1
            return one.number == other.number
        }

        func hash(into hasher: inout Hasher) {
            counter.steps += 1
            hasher.combine(number)
        }
    }

    /// Adds `count` members, takes all but the last and asks for the first that is left.
    private func steps(_ count: Int) -> Int {
        let counter = CountedName.Counter()
        var members = QueryMembers<CountedName>()
        for number in 0..<count { _ = members.add(CountedName(number: number, counter: counter), "") }
        for number in 0..<count - 1 { _ = members.take(CountedName(number: number, counter: counter)) }
        #expect(members.first?.number == count - 1)
        return counter.steps
    }

    @Test("a query costs a fixed number of steps for each of its members")
    func linear() {
        let (few, many) = (steps(1_000), steps(4_000))
        #expect(many < 40 * 4_000)
        #expect(many < 6 * few, "\(few) steps for 1,000 members, \(many) for 4,000")
    }

    @Test("a member is there once, until it is taken, and the first that is left is named")
    func members() {
        var members = QueryMembers<String>()
        let added = ["from", "to", "limit", "from"].map { members.add($0, "value of \($0)") }
        #expect(added == [true, true, true, false])
        #expect(members.first == "from")
        let taken = ["to", "from", "to"].map { members.take($0) }
        #expect(taken == ["value of to", "value of from", nil])
        #expect(members.first == "limit")
        _ = members.take("limit")
        #expect(members.first == nil)
    }
}
