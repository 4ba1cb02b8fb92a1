import ASCII

/// A statement with places in PostgreSQL's syntax: `?` becomes `$1`, `$2`, …, and `?2` becomes `$2`.
struct TranslatedSQL {
    let text: String
    /// The number of its places.
    let places: Int

    init(_ sql: String) {
        var text: [UInt8] = []
        var (places, last) = (0, 0)
        var quote: UInt8?
        var isComment = false
        var bytes = Array(sql.utf8)[...]
        while let byte = bytes.popFirst() {
            if isComment {
                isComment = byte != UInt8(ascii: "\n")
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "-"), bytes.first == byte {
                isComment = true
            } else if byte == UInt8(ascii: "?") {
                let digits = bytes.prefix(while: \.isDigit)
                bytes = bytes.dropFirst(digits.count)
                last = Int(String(decoding: digits, as: UTF8.self)) ?? last + 1
                places = max(places, last)
                text.append(contentsOf: "$\(last)".utf8)
                continue
            }
            text.append(byte)
        }
        self.text = String(decoding: text, as: UTF8.self)
        self.places = places
    }

    init(text: String, places: Int) {
        self.text = text
        self.places = places
    }
}
