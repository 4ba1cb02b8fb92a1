/// Bytes as `%` and two hexadecimal digits (RFC 3986, 2.1).
package enum PercentEncoding {
    /// The UTF-8 of the text, in which each byte is encoded that `isKept` refuses.
    ///
    /// - Parameter isKept: must refuse bytes that are not ASCII, and `%` if the text is decoded again.
    package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) { encoded.append(byte) } else { encoded.append(percentEncoded: byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Takes digits in either case. All bytes outside of an encoded one stay unchanged.
    ///
    /// - Returns: `nil` if there is a `%` without two digits after it.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.underestimatedCount)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension [UInt8] {
    package mutating func append(percentEncoded byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).upperCaseHexDigit)
        append((byte & 0x0F).upperCaseHexDigit)
    }
}
