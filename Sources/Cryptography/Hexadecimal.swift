import ASCII

/// Lower-case hexadecimal, two digits a byte; any other text is refused.
package enum Hexadecimal {
    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for index in bytes.indices {
            text.append((bytes[index] >> 4).lowerCaseHexDigit)
            text.append((bytes[index] & 0x0F).lowerCaseHexDigit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// - Throws: ``CryptographyError/hexadecimal`` for any text that the encoding does not write.
    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 2) else { throw .hexadecimal }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = text[index].lowerCaseHexDigitValue, let low = text[index + 1].lowerCaseHexDigitValue else {
                throw .hexadecimal
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
