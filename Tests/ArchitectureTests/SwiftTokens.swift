/// The identifiers and brackets of Swift code, without comments and without the text of strings. What stands in an
/// interpolation is code.
///
/// Regex literals are not known: a quotation mark in one would be taken for the start of a string.
struct SwiftTokens {
    struct Token: Equatable {
        let text: String
        let line: Int
        /// Whether a dot stands directly before it: the name of a member.
        let isMember: Bool
    }

    private(set) var tokens: [Token] = []
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    static func of(_ text: String) -> [Token] {
        var scanner = SwiftTokens(bytes: Array(text.utf8))
        scanner.readCode()
        return scanner.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func starts(with text: String, at offset: Int = 0) -> Bool {
        bytes[(position + offset)...].starts(with: text.utf8)
    }

    private mutating func skip(_ count: Int = 1) {
        for byte in bytes[position..<min(position + count, bytes.count)] where byte == UInt8(ascii: "\n") { line += 1 }
        position += count
    }

    /// Reads to the end; in an interpolation, past the bracket that closes it.
    private mutating func readCode(isInterpolation: Bool = false) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            if starts(with: "//") {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { skip() }
            } else if starts(with: "/*") {
                skipComment()
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && isRawString {
                skipString()
            } else if Self.isOfName(byte) {
                readName()
            } else {
                if isInterpolation, byte == UInt8(ascii: "(") { depth += 1 }
                if isInterpolation, byte == UInt8(ascii: ")") {
                    depth -= 1
                    if depth < 0 { return skip() }
                }
                if "{}()".utf8.contains(byte) { add(String(UnicodeScalar(byte)), isMember: false) }
                skip()
            }
        }
    }

    private mutating func add(_ text: String, isMember: Bool) {
        tokens.append(Token(text: text, line: line, isMember: isMember))
    }

    private mutating func readName() {
        let start = position
        while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
        let isMember = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
        add(String(decoding: bytes[start..<position], as: UTF8.self), isMember: isMember)
    }

    /// Comments may stand in comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                skip(2)
            } else if starts(with: "*/") {
                depth -= 1
                skip(2)
            } else {
                skip()
            }
        } while depth > 0 && position < bytes.count
    }

    /// Whether the number signs here begin a raw string, and not a directive such as `#if`.
    private var isRawString: Bool {
        bytes[position...].first { $0 != UInt8(ascii: "#") } == UInt8(ascii: "\"")
    }

    private mutating func skipString() {
        let signs = String(repeating: "#", count: bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count)
        skip(signs.utf8.count)
        let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        skip(quotes.utf8.count)
        while position < bytes.count, !starts(with: quotes + signs) {
            if starts(with: "\\" + signs + "(") {
                skip(signs.utf8.count + 2)
                readCode(isInterpolation: true)
            } else if starts(with: "\\" + signs) {
                skip(signs.utf8.count + 2)
            } else {
                skip()
            }
        }
        skip(quotes.utf8.count + signs.utf8.count)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte >= 0x80
    }
}
