import ASCII

extension JSONParser {
    /// Reads the number whose minus or first digit is at `position` (RFC 8259, 6).
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        skip("-")
        if skip("0") {
            guard position == bytes.count || !bytes[position].isDigit else { throw malformed(.leadingZero) }
        } else {
            try digits()
        }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            try digits()
        }
        return JSONNumber(literal: bytes[start..<position])
    }

    @discardableResult
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// One digit or more.
    private mutating func digits() throws(JSONError) {
        guard position < bytes.count, bytes[position].isDigit else { throw malformed(.digitExpected) }
        while position < bytes.count, bytes[position].isDigit { position += 1 }
    }
}
