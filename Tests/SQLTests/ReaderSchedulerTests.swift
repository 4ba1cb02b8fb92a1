import Testing

@testable import SQL

/// Who gets the connections of a pool.
@Suite struct ReaderSchedulerTests {
    @Test("long readings leave connections to short ones, however many there are")
    func short() {
        var scheduler = ReaderScheduler<String>(connections: 4, maximumLongCount: 2)
        let long = (0..<10).map { scheduler.acquire(.long(owner: $0 % 2), "long \($0)") }
        #expect(long.compactMap(\.self).count == 2)
        let first = scheduler.acquire(.short, "first")
        let second = scheduler.acquire(.short, "second")
        #expect(first != nil && second != nil)
        #expect(scheduler.acquire(.short, "third") == nil)
        // A short one that waits comes before all long ones.
        #expect(scheduler.release(long[0] ?? 0, after: .long(owner: 0)) == "third")
    }

    @Test("owners of long readings take turns, each in the order in which they asked")
    func owners() {
        var scheduler = ReaderScheduler<String>(connections: 2, maximumLongCount: 1)
        let number = scheduler.acquire(.long(owner: 7), "under way") ?? -1
        for reading in ["a1", "a2", "a3"] { #expect(scheduler.acquire(.long(owner: 1), reading) == nil) }
        #expect(scheduler.acquire(.long(owner: 2), "b1") == nil)
        let order = (0..<5).map { _ in scheduler.release(number, after: .long(owner: 0)) }
        #expect(order == ["a1", "b1", "a2", "a3", nil])
    }

    @Test("every reading gets its turn, and no connection has two at once")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var scheduler = ReaderScheduler<Int>(connections: 5, maximumLongCount: 3)
            var (waiting, running) = (Set<Int>(), [Int: Int]())
            var lengths: [ReadingLength] = []
            func start(_ reading: Int, _ connection: Int) {
                #expect(running.updateValue(reading, forKey: connection) == nil)
                waiting.remove(reading)
                let long = running.values.filter { if case .long = lengths[$0] { true } else { false } }
                #expect(long.count <= 3)
            }
            for step in 0..<400 {
                if step < 200, Bool.random(using: &generator) {
                    lengths.append(Bool.random(using: &generator) ? .short : .long(owner: Int.random(in: 0..<3)))
                    waiting.insert(lengths.count - 1)
                    if let connection = scheduler.acquire(lengths[lengths.count - 1], lengths.count - 1) {
                        start(lengths.count - 1, connection)
                    }
                } else if let (connection, reading) = running.randomElement(using: &generator) {
                    running[connection] = nil
                    if let next = scheduler.release(connection, after: lengths[reading]) { start(next, connection) }
                }
            }
            while let (connection, reading) = running.first {
                running[connection] = nil
                if let next = scheduler.release(connection, after: lengths[reading]) { start(next, connection) }
            }
            #expect(waiting.isEmpty)
        }
    }
}
