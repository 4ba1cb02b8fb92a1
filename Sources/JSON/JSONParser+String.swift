import ASCII

extension JSONParser {
    /// Reads the string whose opening quote is at `position`.
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
            case let byte where byte.isUnescaped: break
            default: throw malformed(.controlCharacter)
            }
            appendPlain(to: &unescaped)
        }
    }

    private mutating func skipUnescaped() {
        position = bytes.withUnsafeBufferPointer { $0.firstEscaped(from: position) }
    }

    /// Appends the bytes from `position` up to the next byte that ``appendEscape(to:)`` must handle or that is an
    /// error. HTML has many short escapes: escapes of one letter are read here.
    private mutating func appendPlain(to unescaped: inout [UInt8]) {
        position = bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceLength) { piece in
                var read = position
                var written = 0
                while written < piece.count {
                    let copied = bytes.copyUnescaped(from: read, to: piece[written...])
                    read += copied
                    written += copied
                    guard written < piece.count, let byte = bytes.escapedByte(at: read) else { break }
                    piece[written] = byte
                    written += 1
                    read += 2
                }
                unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<written]))
                return read
            }
        }
    }

    private static var pieceLength: Int { 1024 }

    /// The string whose closing quote is at `position`; takes the quote.
    ///
    /// An escape gives whole characters, so the unescaped bytes are UTF-8 exactly if the written ones are.
    private mutating func text(of unescaped: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: unescaped, as: UTF8.self) else {
            throw .notUTF8(offset: start + validLength(of: bytes[start..<position]))
        }
        position += 1
        return text
    }

    /// The number of bytes before the first that is not UTF-8.
    private func validLength(of bytes: ArraySlice<UInt8>) -> Int {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
        return length
    }

    /// Reads the escape whose backslash is at `position`.
    private mutating func appendEscape(to unescaped: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        guard position < bytes.count else { throw malformed(.unexpectedEnd) }
        let letter = bytes[position]
        position += 1
        if let byte = letter.escaped { return unescaped.append(byte) }
        guard letter == UInt8(ascii: "u") else { throw .malformed(offset: start, .badEscape) }
        let unit = try codeUnit()
        guard let scalar = try scalar(beginningWith: unit), let encoded = UTF8.encode(scalar) else {
            throw .malformed(offset: start, .loneSurrogate)
        }
        unescaped.append(contentsOf: encoded)
    }

    /// - Returns: `nil` if the UTF-16 code unit is half of a pair whose other half does not follow.
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
            guard position < bytes.count, let digit = bytes[position].hexDigitValue else { throw malformed(.badEscape) }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

extension UInt8 {
    /// The byte that a backslash and this letter mean; `nil` if there is none, or if the letter alone does not
    /// determine it.
    fileprivate var escaped: UInt8? {
        switch self {
        case .quote, .backslash, UInt8(ascii: "/"): self
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The byte that the one-letter escape at `position` means; `nil` if there is none.
    fileprivate func escapedByte(at position: Int) -> UInt8? {
        guard position + 1 < count, self[position] == .backslash else { return nil }
        return self[position + 1].escaped
    }
}
