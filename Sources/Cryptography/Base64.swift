/// Base64 with the standard alphabet and padding (RFC 4648, 4), as the formats of transparency logs write bytes:
/// one text for one sequence of bytes. Decoding refuses what encoding does not write.
package enum Base64 {
    static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends `bytes` to `text` as ASCII.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        let alphabet = alphabet.span
        var place = 0
        while place + 3 <= bytes.count {
            let (one, two, three) = (bytes[place], bytes[place + 1], bytes[place + 2])
            text.append(alphabet[Int(one >> 2)])
            text.append(alphabet[Int((one & 0x03) << 4 | two >> 4)])
            text.append(alphabet[Int((two & 0x0F) << 2 | three >> 6)])
            text.append(alphabet[Int(three & 0x3F)])
            place += 3
        }
        guard place < bytes.count else { return }
        let two = place + 1 < bytes.count ? bytes[place + 1] : nil
        text.append(alphabet[Int(bytes[place] >> 2)])
        text.append(alphabet[Int((bytes[place] & 0x03) << 4 | (two ?? 0) >> 4)])
        text.append(two.map { alphabet[Int(($0 & 0x0F) << 2)] } ?? padding)
        text.append(padding)
    }

    /// Writes `bytes` as ASCII over what stands in `text` from `start` on.
    package static func write(_ bytes: Span<UInt8>, over text: inout MutableSpan<UInt8>, at start: Int) {
        let alphabet = alphabet.span
        var (place, end) = (0, start)
        while place < bytes.count {
            let count = min(bytes.count - place, 3)
            var group = UInt32(bytes[place]) << 16
            if count > 1 { group |= UInt32(bytes[place + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[place + 2]) }
            text[end] = alphabet[Int(group >> 18)]
            text[end + 1] = alphabet[Int(group >> 12 & 0x3F)]
            text[end + 2] = count > 1 ? alphabet[Int(group >> 6 & 0x3F)] : padding
            text[end + 3] = count > 2 ? alphabet[Int(group & 0x3F)] : padding
            place += 3
            end += 4
        }
    }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    static let padding = UInt8(ascii: "=")
}
