import ASCII

/// Reads some members of an object directly from its bytes, and builds no values for the others.
///
/// It reads objects in the form in which programs write them: ASCII without escapes, few members, no arrays. It refuses
/// nothing: if it cannot read an object, ``JSONValue/parse(_:limits:)`` must, and says what is wrong. Both read an
/// object in the same way (a test compares the two).
package struct MemberReader {
    /// The most members: each name is compared with all earlier ones, to find duplicates.
    private static let maximumCount = 16
    private static let maximumDepth = 4

    private var position = 0

    private init() {}

    /// The members called `names` of an object that is all of `bytes`, except for white space.
    ///
    /// - Returns: `nil` if this reader cannot read the bytes.
    package static func members(_ names: [String], of bytes: Span<UInt8>) -> JSONObject? {
        var reader = MemberReader()
        reader.skipWhiteSpace(in: bytes)
        guard let object = reader.object(names, in: bytes, depth: 1) else { return nil }
        reader.skipWhiteSpace(in: bytes)
        return reader.position == bytes.count ? object : nil
    }

    /// - Parameter wanted: the names of the members to build; `nil` for all.
    private mutating func object(_ wanted: [String]?, in bytes: Span<UInt8>, depth: Int) -> JSONObject? {
        guard depth <= Self.maximumDepth, take(.openBrace, in: bytes) else { return nil }
        var object = JSONObject()
        var names = InlineArray<16, Range<Int>>(repeating: 0..<0)
        var count = 0
        skipWhiteSpace(in: bytes)
        if take(.closeBrace, in: bytes) { return object }
        repeat {
            skipWhiteSpace(in: bytes)
            guard count < Self.maximumCount, let name = string(in: bytes) else { return nil }
            skipWhiteSpace(in: bytes)
            guard take(.colon, in: bytes) else { return nil }
            skipWhiteSpace(in: bytes)
            for earlier in 0..<count {
                guard !bytes.extracting(name).isSame(as: bytes.extracting(names[earlier])) else { return nil }
            }
            names[count] = name
            count += 1
            if let known = Self.name(name, in: bytes, of: wanted) {
                guard let value = value(in: bytes, depth: depth), object.append(known, value) else { return nil }
            } else {
                guard skipValue(in: bytes, depth: depth) else { return nil }
            }
            skipWhiteSpace(in: bytes)
        } while take(.comma, in: bytes)
        return take(.closeBrace, in: bytes) ? object : nil
    }

    /// The name at `range`; `nil` if it is not wanted.
    private static func name(_ range: Range<Int>, in bytes: Span<UInt8>, of wanted: [String]?) -> String? {
        guard let wanted else { return bytes.text(range) }
        return wanted.first { bytes.extracting(range).isSame(as: $0.utf8Span.span) }
    }

    private mutating func value(in bytes: Span<UInt8>, depth: Int) -> JSONValue? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case .quote: return string(in: bytes).map { .string(bytes.text($0)) }
        case .openBrace: return object(nil, in: bytes, depth: depth + 1).map { .object($0) }
        case UInt8(ascii: "t"): return skip("true", in: bytes) ? .bool(true) : nil
        case UInt8(ascii: "f"): return skip("false", in: bytes) ? .bool(false) : nil
        case UInt8(ascii: "n"): return skip("null", in: bytes) ? .null : nil
        default:
            return number(in: bytes).map { range in
                bytes.extracting(range).withUnsafeBufferPointer { .number(JSONNumber(literal: $0)) }
            }
        }
    }

    private mutating func skipValue(in bytes: Span<UInt8>, depth: Int) -> Bool {
        guard position < bytes.count else { return false }
        return switch bytes[position] {
        case .quote: string(in: bytes) != nil
        case .openBrace: object([], in: bytes, depth: depth + 1) != nil
        case UInt8(ascii: "t"): skip("true", in: bytes)
        case UInt8(ascii: "f"): skip("false", in: bytes)
        case UInt8(ascii: "n"): skip("null", in: bytes)
        default: number(in: bytes) != nil
        }
    }

    // MARK: Tokens

    /// Takes a string of ASCII without escapes.
    /// - Returns: its place between the quotes.
    private mutating func string(in bytes: Span<UInt8>) -> Range<Int>? {
        guard take(.quote, in: bytes) else { return nil }
        let start = position
        while position < bytes.count, bytes[position].isUnescaped, bytes[position] < 0x80 { position += 1 }
        let end = position
        return take(.quote, in: bytes) ? start..<end : nil
    }

    /// Takes a number (RFC 8259, 6).
    private mutating func number(in bytes: Span<UInt8>) -> Range<Int>? {
        let start = position
        _ = take(UInt8(ascii: "-"), in: bytes)
        if !take(UInt8(ascii: "0"), in: bytes) {
            guard digits(in: bytes) else { return nil }
        }
        if take(UInt8(ascii: "."), in: bytes), !digits(in: bytes) { return nil }
        if take(UInt8(ascii: "e"), in: bytes) || take(UInt8(ascii: "E"), in: bytes) {
            _ = take(UInt8(ascii: "+"), in: bytes) || take(UInt8(ascii: "-"), in: bytes)
            guard digits(in: bytes) else { return nil }
        }
        return start..<position
    }

    /// One digit or more.
    private mutating func digits(in bytes: Span<UInt8>) -> Bool {
        let start = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        return position > start
    }

    private mutating func skip(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        for offset in 0..<text.utf8CodeUnitCount {
            guard take(text.utf8Start[offset], in: bytes) else { return false }
        }
        return true
    }

    private mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace(in bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    }
}

extension Span<UInt8> {
    fileprivate func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
