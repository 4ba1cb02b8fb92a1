// Names and values of header fields as bytes. Letters are ASCII, and their case means nothing.
extension Span<UInt8> {
    /// Whether this is `lowercased`, in any case of its letters.
    func isSame(as lowercased: StaticString) -> Bool {
        count == lowercased.utf8CodeUnitCount && hasWord(lowercased, at: 0)
    }

    /// Whether `lowercased` stands anywhere in this, in any case of its letters.
    func contains(_ lowercased: StaticString) -> Bool {
        var place = 0
        while place + lowercased.utf8CodeUnitCount <= count {
            if hasWord(lowercased, at: place) { return true }
            place += 1
        }
        return false
    }

    /// Where a value stands without the blanks around it, which are none of it (RFC 9112, 5.1).
    var withoutBlanks: Range<Int> {
        var range = indices
        while let first = range.first, Self.isBlank(self[first]) { range.removeFirst() }
        while let last = range.last, Self.isBlank(self[last]) { range.removeLast() }
        return range
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private func hasWord(_ lowercased: StaticString, at place: Int) -> Bool {
        for offset in 0..<lowercased.utf8CodeUnitCount {
            let byte = self[place + offset]
            let isUpperCase = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            guard (isUpperCase ? byte | 0x20 : byte) == lowercased.utf8Start[offset] else { return false }
        }
        return true
    }
}
