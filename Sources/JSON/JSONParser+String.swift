extension JSONParser {
    /// Reads the string whose opening quote stands at `position`.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        skipUnescaped()
        guard position < bytes.count else { throw malformed(.unexpectedEnd) }
        guard bytes[position] != .quote else { return try text(of: bytes[start..<position], from: start) }

        var unescaped = Array(bytes[start..<position])
        while true {
            guard position < bytes.count else { throw malformed(.unexpectedEnd) }
            switch bytes[position] {
            case .quote: return try text(of: unescaped[...], from: start)
            case .backslash: try appendEscape(to: &unescaped)
            default: throw malformed(.controlCharacter)
            }
            let run = position
            skipUnescaped()
            unescaped.append(contentsOf: bytes[run..<position])
        }
    }

    private mutating func skipUnescaped() {
        position = bytes.withUnsafeBufferPointer { $0.firstEscaped(from: position) }
    }

    /// The string whose closing quote stands at `position`, which is taken.
    ///
    /// An escape yields whole characters, so the unescaped bytes are UTF-8 exactly when those written are.
    private mutating func text(of unescaped: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: unescaped, as: UTF8.self) else {
            throw .notUTF8(offset: start + validLength(of: bytes[start..<position]))
        }
        position += 1
        return text
    }

    /// How many bytes come before the first that is not UTF-8.
    private func validLength(of bytes: ArraySlice<UInt8>) -> Int {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
        return length
    }

    /// Reads the escape whose backslash stands at `position`.
    private mutating func appendEscape(to unescaped: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        guard position < bytes.count else { throw malformed(.unexpectedEnd) }
        let letter = bytes[position]
        position += 1
        switch letter {
        case .quote, .backslash, UInt8(ascii: "/"): unescaped.append(letter)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard let scalar = try scalar(beginningWith: unit), let encoded = UTF8.encode(scalar) else {
                throw .malformed(offset: start, .loneSurrogate)
            }
            unescaped.append(contentsOf: encoded)
        default: throw .malformed(offset: start, .badEscape)
        }
    }

    /// - Returns: `nil` when the UTF-16 code unit is half of a pair whose other half does not follow.
    private mutating func scalar(beginningWith unit: UInt32) throws(JSONError) -> Unicode.Scalar? {
        guard (0xD800...0xDBFF).contains(unit) else { return Unicode.Scalar(unit) }
        guard bytes[position...].starts(with: [.backslash, UInt8(ascii: "u")]) else { return nil }
        position += 2
        let low = try codeUnit()
        guard (0xDC00...0xDFFF).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = bytes[position].hexDigit else { throw malformed(.badEscape) }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
