import Testing

@testable import PostgresStorage

@Suite struct NodeSignsTests {
    private let start = ContinuousClock.now

    private func sign(_ slot: Int64 = 1, _ instance: UInt8 = 1, beats: Int64, applied: UInt64 = 7) -> NodeSigns.Sign {
        NodeSigns.Sign(slot: slot, instance: [instance], beats: beats, applied: applied)
    }

    @Test("a node is waited for until its row has not changed for eight seconds")
    func silence() {
        var signs = NodeSigns()
        #expect(signs.slowest([], at: start) == nil)
        #expect(signs.slowest([sign(beats: 3)], at: start) == 7, "it may have been silent for hours, or not")
        #expect(signs.slowest([sign(beats: 3)], at: start + .milliseconds(7999)) == 7)
        #expect(signs.slowest([sign(beats: 3)], at: start + .seconds(8)) == nil)
        #expect(signs.slowest([sign(beats: 4)], at: start + .seconds(9)) == 7)
        #expect(signs.slowest([sign(beats: 4)], at: start + .seconds(16)) == 7)
        #expect(signs.slowest([sign(beats: 4)], at: start + .seconds(17)) == nil)
    }

    @Test("a node that was restarted, or that a database of an earlier state has again, is waited for")
    func others() {
        var signs = NodeSigns()
        _ = signs.slowest([sign(beats: 3)], at: start)
        #expect(signs.slowest([sign(1, 2, beats: 3)], at: start + .seconds(20)) == 7)
        #expect(signs.slowest([sign(1, 2, beats: 1)], at: start + .seconds(40)) == 7)
        #expect(signs.slowest([], at: start + .seconds(60)) == nil)
        #expect(signs.slowest([sign(1, 2, beats: 1)], at: start + .seconds(61)) == 7)
    }

    @Test("of those that are waited for, the slowest counts")
    func slowest() {
        var signs = NodeSigns()
        _ = signs.slowest([sign(1, beats: 1, applied: 2), sign(2, beats: 1, applied: 5)], at: start)
        let later = [sign(1, beats: 1, applied: 2), sign(2, beats: 9, applied: 6), sign(3, beats: 1, applied: 8)]
        #expect(signs.slowest(later, at: start + .seconds(1)) == 2)
        #expect(signs.slowest(later, at: start + .seconds(8)) == 6)
    }
}
