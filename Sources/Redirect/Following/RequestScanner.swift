/// Reads the bytes of a request. It accepts a subset of what HTTP allows.
struct RequestScanner {
    static let version: StaticString = " HTTP/1.1\r\n"

    private(set) var position = 0
    /// Whether the bytes ended within the item that was read, so that more bytes could complete it.
    private(set) var isCut = false

    /// Skips `text`, if it comes next.
    mutating func skip(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        for offset in 0..<text.utf8CodeUnitCount {
            guard position + offset < bytes.count else {
                isCut = true
                return false
            }
            guard bytes[position + offset] == text.utf8Start[offset] else { return false }
        }
        position += text.utf8CodeUnitCount
        return true
    }

    /// Skips visible ASCII without `#`.
    mutating func skipTarget(in bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        position = bytes.endOfTarget(from: start)
        return start..<position
    }

    /// Skips visible ASCII without `#`, and bytes from 0x80 on: what a mail program or website adds to a link is not
    /// always escaped.
    mutating func skipLinkTarget(in bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        position = bytes.endOfUnescapedTarget(from: start)
        return start..<position
    }

    /// Skips letters and digits, `-` and `_`, as tokens have them.
    mutating func skipToken(in bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        while position < bytes.count, Self.isOfName(bytes[unchecked: position]) { position += 1 }
        return start..<position
    }

    /// Skips one field and the end of its line.
    mutating func skipField(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        let name = skipToken(in: bytes)
        guard !name.isEmpty, skip(":", in: bytes) else { return nil }
        while position < bytes.count, bytes[position] == Self.space { position += 1 }
        let first = position
        position = bytes.endOfText(from: first)
        var end = position
        while end > first, bytes[end - 1] == Self.space { end -= 1 }
        guard skip("\r\n", in: bytes) else { return nil }
        return (name, first..<end)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "-")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "_")
    }

    private static let space = UInt8(ascii: " ")
}
