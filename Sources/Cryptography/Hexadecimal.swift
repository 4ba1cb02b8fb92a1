/// Lower-case hexadecimal, two digits a byte; any other text is refused.
package enum Hexadecimal {
    private static let digits = [UInt8]("0123456789abcdef".utf8)

    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for index in bytes.indices {
            text.append(digits[Int(bytes[index] >> 4)])
            text.append(digits[Int(bytes[index] & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 2) else { throw .hexadecimal }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = value(of: text[index]), let low = value(of: text[index + 1]) else { throw .hexadecimal }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
