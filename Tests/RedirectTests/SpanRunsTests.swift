import Testing

@testable import Redirect

@Suite struct SpanRunsTests {
    private func end(of bytes: [UInt8], from start: Int, _ isInRun: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex { !isInRun($0) } ?? bytes.count
    }

    private func check(_ bytes: [UInt8]) {
        for start in 0...bytes.count {
            #expect(bytes.span.endOfText(from: start) == end(of: bytes, from: start) { (0x20...0x7E).contains($0) })
            #expect(
                bytes.span.endOfTarget(from: start)
                    == end(of: bytes, from: start) { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
            #expect(
                bytes.span.endOfUnescapedTarget(from: start)
                    == end(of: bytes, from: start) { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") })
        }
    }

    @Test("a run ends at the first byte that is not of it, whichever that is and wherever it stands")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            for length in [1, 7, 8, 9, 16, 19] {
                for place in 0..<length {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    bytes[place] = byte
                    check(bytes)
                }
            }
        }
    }

    @Test("what follows the end of a run does not move it")
    func neighbours() {
        let edges: [UInt8] = [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF]
        for one in edges {
            for other in edges {
                for third in edges { check([0x61, 0x7E, one, other, third, 0x21, 0x61, 0x61, 0x61]) }
            }
        }
    }
}
