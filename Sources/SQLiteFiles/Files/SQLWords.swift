/// What a statement consists of, without comments and white space: words, texts and names in quotes, and signs.
struct SQLWords: Equatable {
    private(set) var words: [[UInt8]] = []

    init(_ sql: String) {
        let bytes = Array(sql.utf8)
        var place = 0
        while place < bytes.count {
            let end = Self.end(of: bytes, from: place)
            let word = Array(bytes[place..<end])
            if !Self.isBlank(word[0]) && !Self.isComment(word) { words.append(word) }
            place = end
        }
    }

    private static func end(of bytes: [UInt8], from start: Int) -> Int {
        switch bytes[start] {
        case UInt8(ascii: "-") where bytes[start...].starts(with: "--".utf8):
            return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        case UInt8(ascii: "/") where bytes[start...].starts(with: "/*".utf8):
            var end = start + 2
            while end < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
            return min(end + 2, bytes.count)
        // A quote that is doubled begins another word right after this one.
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            return (bytes[(start + 1)...].firstIndex(of: bytes[start]) ?? bytes.count - 1) + 1
        case UInt8(ascii: "["):
            return (bytes[start...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count - 1) + 1
        case let byte where isOfWord(byte):
            return bytes[start...].firstIndex { !isOfWord($0) } ?? bytes.count
        default: return start + 1
        }
    }

    private static func isComment(_ word: [UInt8]) -> Bool {
        word.starts(with: "--".utf8) || word.starts(with: "/*".utf8)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
