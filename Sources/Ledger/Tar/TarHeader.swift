import ASCII

/// The 512 bytes before a file in an archive (POSIX.1-1988, ustar): a plain file, readable by all users, without an
/// owner.
///
/// Each header can be written in one way only, and no other is read: no links, folders, devices, sparse files, names
/// that continue elsewhere or fields of other formats.
package struct TarHeader: Hashable, Sendable {
    static let blockLength = 512
    /// The greatest value of eleven octal digits.
    static let maximumSize: UInt64 = 1 << 33 - 1
    static let maximumNameLength = 100

    package let name: String
    package let size: UInt64
    /// Seconds since 1970.
    let modified: UInt64

    /// - Returns: `nil` for values that a header cannot have.
    package init?(name: String, size: UInt64, modified: UInt64) {
        guard (1...Self.maximumNameLength).contains(name.utf8.count), name.utf8.allSatisfy(\.isVisible),
            size <= Self.maximumSize, modified <= Self.maximumSize
        else { return nil }
        self.name = name
        self.size = size
        self.modified = modified
    }

    /// Accepts only what ``bytes`` writes.
    init?(_ block: ArraySlice<UInt8>) {
        let start = block.startIndex
        let field = block.prefix(Self.maximumNameLength)
        // A name of the greatest length has no zero after it.
        let end = field.firstIndex(of: 0) ?? field.endIndex
        guard block.count == Self.blockLength,
            let size = Self.octal(block[(start + 124)..<(start + 135)]),
            let modified = Self.octal(block[(start + 136)..<(start + 147)]),
            let name = String(validating: block[start..<end], as: UTF8.self)
        else { return nil }
        self.init(name: name, size: size, modified: modified)
        guard bytes.elementsEqual(block) else { return nil }
    }

    /// The number of bytes between the end of a file and the next block.
    static func padding(after size: UInt64) -> Int { Int((512 - size % 512) % 512) }

    package var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockLength)
        func put(_ text: String, at position: Int) {
            for (offset, byte) in text.utf8.enumerated() { block[position + offset] = byte }
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.octal(size, digits: 11), at: 124)
        put(Self.octal(modified, digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = block.reduce(0) { $0 + UInt64($1) }
        put(Self.octal(sum, digits: 6), at: 148)
        block[154] = 0
        return block
    }

    private static func octal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func octal(_ digits: ArraySlice<UInt8>) -> UInt64? {
        digits.reduce(0 as UInt64?) { number, digit in
            guard let number, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
            return number << 3 | UInt64(digit - UInt8(ascii: "0"))
        }
    }
}
