// Names and values of header fields as bytes. Letters are ASCII, and their case is ignored.
extension Span<UInt8> {
    /// Whether this is `lowercased`, in any case of its letters.
    func isSame(as lowercased: StaticString) -> Bool {
        count == lowercased.utf8CodeUnitCount && hasWord(lowercased, at: 0)
    }

    /// Whether `lowercased` occurs anywhere in this, in any case of its letters.
    func contains(_ lowercased: StaticString) -> Bool {
        var offset = 0
        while offset + lowercased.utf8CodeUnitCount <= count {
            if hasWord(lowercased, at: offset) { return true }
            offset += 1
        }
        return false
    }

    /// The range of a value without surrounding whitespace (RFC 9112, 5.1).
    var withoutWhitespace: Range<Int> {
        var range = indices
        while let first = range.first, Self.isWhitespace(self[first]) { range.removeFirst() }
        while let last = range.last, Self.isWhitespace(self[last]) { range.removeLast() }
        return range
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private func hasWord(_ lowercased: StaticString, at offset: Int) -> Bool {
        for index in 0..<lowercased.utf8CodeUnitCount {
            let byte = self[offset + index]
            let isUpperCase = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            guard (isUpperCase ? byte | 0x20 : byte) == lowercased.utf8Start[index] else { return false }
        }
        return true
    }
}
