extension JSONParser {
    /// Reads the number whose minus or first digit stands at `place` (RFC 8259, 6).
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = place
        skip("-")
        if skip("0") {
            guard place == bytes.count || !bytes[place].isDigit else { throw malformed(.leadingZero) }
        } else {
            try digits()
        }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            try digits()
        }
        return JSONNumber(literal: bytes[start..<place])
    }

    @discardableResult
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// One digit or more.
    private mutating func digits() throws(JSONError) {
        guard place < bytes.count, bytes[place].isDigit else { throw malformed(.digitExpected) }
        while place < bytes.count, bytes[place].isDigit { place += 1 }
    }
}
