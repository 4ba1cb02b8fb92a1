import Identifiers
import Testing

@Suite struct NodeSlotTests {
    @Test("a slot fits its seven bits")
    func range() {
        #expect((0...UInt8.max).compactMap(NodeSlot.init(rawValue:)).map(\.rawValue) == Array(0...127))
        #expect(NodeSlot.single.rawValue == 0)
    }
}
