import Testing

@testable import HTTPAPI

@Suite struct LineWindowTests {
    @Test("lines are stored until as many as the limit are not acknowledged")
    func limit() {
        var window = LineWindow(limit: 10)
        #expect(window.admit(6) == .admit)
        #expect(window.admit(4) == .admit)
        #expect(window.admit(1) == .measure)
        window.wrote(6, bytes: 600)
        #expect(window.admit(1) == .measure, "what was given to the connection is not acknowledged yet")
        window.acknowledge(allBut: 0)
        #expect(window.admit(6) == .admit)
    }

    @Test("what may not be acknowledged are the bytes that were written last")
    func bytes() {
        var window = LineWindow(limit: 6)
        for _ in 1...3 {
            #expect(window.admit(2) == .admit)
            window.wrote(2, bytes: 100)
        }
        window.acknowledge(allBut: 201)
        #expect(window.admit(1) != .admit, "of the first answer one byte may be on its way")
        window.acknowledge(allBut: 200)
        #expect(window.admit(2) == .admit)
        window.acknowledge(allBut: 1_000)
        #expect(window.admit(1) != .admit, "other bytes are on their way too")
    }

    @Test("what is written while it is measured is not taken for acknowledged", arguments: [0, 50])
    func writtenMeanwhile(_ waiting: Int) {
        var window = LineWindow(limit: 10)
        #expect(window.admit(10) == .admit)
        window.wrote(4, bytes: 100)
        #expect(window.admit(4) == .measure)
        // Behind the measurement, before it is told.
        window.wrote(6, bytes: 600)
        window.acknowledge(allBut: waiting)
        #expect((window.admit(4) == .admit) == (waiting == 0), "the six lines are still on their way")
        #expect(window.admit(5) != .admit)
    }

    @Test("a batch that is larger than the window goes alone")
    func large() {
        var window = LineWindow(limit: 10)
        #expect(window.admit(25) == .admit)
        #expect(window.admit(1) == .measure)
        window.acknowledge(allBut: 0)
        #expect(window.admit(1) == .wait(LineWindow.minimumPause), "its answers are not written")
        window.wrote(25, bytes: 9)
        window.acknowledge(allBut: 0)
        #expect(window.admit(25) == .admit)
    }

    @Test("a batch that waits measures between pauses, which become longer and are short again for the next batch")
    func pauses() {
        var window = LineWindow(limit: 1)
        #expect(window.admit(1) == .admit)
        for pause in [1, 2, 4, 8, 16, 32, 50, 50] {
            #expect(window.admit(1) == .measure)
            window.acknowledge(allBut: 7)
            #expect(window.admit(1) == .wait(.milliseconds(pause)))
        }
        window.wrote(1, bytes: 7)
        #expect(window.admit(1) == .measure)
        window.acknowledge(allBut: 0)
        #expect(window.admit(1) == .admit)
        #expect(window.admit(1) == .measure)
        window.acknowledge(allBut: 7)
        #expect(window.admit(1) == .wait(LineWindow.minimumPause))
    }
}
