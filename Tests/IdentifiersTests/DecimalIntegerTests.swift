import Identifiers
import Testing

@Suite struct DecimalIntegerTests {
    @Test("an integer is read as JSON writes it", arguments: [("0", 0), ("1", 1), ("1000", 1000), ("-7", -7)])
    func read(_ text: String, _ value: Int) {
        #expect(Int.parse(decimal: text) == value)
    }

    @Test(
        "every other spelling is refused",
        arguments: ["", "+1", "01", "00", "-0", "-01", " 1", "1 ", "1.0", "1e3", "0x1", "\u{661}", "1\u{301}"])
    func refused(_ text: String) {
        #expect(Int.parse(decimal: text) == nil)
    }

    @Test("what does not fit the type is none")
    func range() {
        #expect(UInt8.parse(decimal: "255") == 255)
        #expect(UInt8.parse(decimal: "256") == nil && UInt8.parse(decimal: "-1") == nil)
    }
}
