import Testing

@testable import Service

@Suite struct ThreadNeedTests {
    @Test(
        "each event loop and each core adds to it",
        arguments: [(nil, 1, 39), (nil, 2, 40), (1, 2, 39), (1024, 2, 1062), (nil, 64, 288)] as [(Int?, Int, Int)])
    func sum(_ eventLoops: Int?, _ cores: Int, _ threads: Int) {
        #expect(ThreadNeed(eventLoops: eventLoops, cores: cores).threads == threads)
    }

    @Test("a process that can have them goes on")
    func enough() throws {
        try ThreadNeed(eventLoops: 2, cores: 2).require()
    }

    @Test("threads are started as often as asked, and end")
    func trial() {
        let before = ThreadTrial.running
        #expect(ThreadTrial.given(of: 3) == 3)
        #expect(ThreadTrial.given(of: 0) == 0)
        #expect(ThreadTrial.given(of: -1) == 0)
        #expect(before >= 1)
    }

    @Test("the setting is named only where it can be lowered", arguments: [(1, false), (2, true)])
    func message(_ eventLoops: Int, _ namesSetting: Bool) {
        let error = TooFewThreads(possible: 12, needed: 40, eventLoops: eventLoops)
        #expect(error.description.hasPrefix("the process can have 12 threads and needs 40 at least: "))
        #expect(error.description.hasSuffix(", or lower the setting threads") == namesSetting)
    }
}
