import Testing

@testable import Waiting

@Suite struct FirstResultTests {
    private struct TooLate: Error {}

    @Test("the first of several results is given, and the others are dropped")
    func first() async throws {
        let value: Int = try await withCheckedThrowingContinuation { continuation in
            let first = FirstResult(continuation)
            #expect(first.isAwaited)
            #expect(first.give(.success(1)))
            #expect(!first.isAwaited)
            #expect(!first.give(.success(2)))
            #expect(!first.give(.failure(TooLate())))
        }
        #expect(value == 1)
    }

    @Test("a task that was taken gets no result but from its taker")
    func taken() async {
        let value: Int = await withCheckedContinuation { continuation in
            let first = FirstResult(continuation)
            let waiting = first.take()
            #expect(!first.give(.success(2)))
            #expect(first.take() == nil)
            waiting?.resume(returning: 1)
        }
        #expect(value == 1)
    }

    @Test("of results that come at once, one is the first")
    func race() async {
        for _ in 0..<100 {
            let winners = await withCheckedContinuation { (done: CheckedContinuation<Int, Never>) in
                Task {
                    let winners = Collected()
                    let value: Int = await withCheckedContinuation { continuation in
                        let first = FirstResult(continuation)
                        for number in 1...4 { Task { if first.give(.success(number)) { await winners.add(number) } } }
                    }
                    while await winners.numbers.isEmpty { await Task.yield() }
                    #expect(await winners.numbers == [value])
                    done.resume(returning: await winners.numbers.count)
                }
            }
            #expect(winners == 1)
        }
    }

    private actor Collected {
        private(set) var numbers: [Int] = []
        func add(_ number: Int) { numbers.append(number) }
    }
}
