/// A request for a link as nearly all are: one whole `GET` in HTTP/1.1 without a body, and without a header field that
/// changes how the connection continues.
///
/// It is read from the bytes directly, in a small part of the time that an HTTP decoder takes. It refuses nothing:
/// a request that is not plain, or not complete, goes to the decoder. The decoder reads a plain request in the same way
/// (a test compares the two).
struct PlainRequest {
    let request: RedirectRequest
    /// Where its target is, in the bytes.
    let target: Range<Int>
    /// Where its token is, in the bytes.
    let token: Range<Int>
    /// Where the value of its first `Accept-Language` is, in the bytes; empty where it has none.
    let languages: Range<Int>
    /// In bytes, with the empty line at its end.
    let length: Int

    private static let method: StaticString = "GET "
    private static let version: StaticString = " HTTP/1.1\r\n"
    /// The decoder accepts or refuses longer requests, and those with more fields.
    private static let maximumLength = 8 * 1024
    private static let maximumFieldCount = 64

    /// - Returns: `nil` when `bytes` do not begin with such a request.
    init?(_ bytes: Span<UInt8>) {
        let bytes = bytes.extracting(first: Self.maximumLength)
        var scanner = RequestScanner()
        guard scanner.skip(Self.method, in: bytes) else { return nil }
        let target = scanner.skipTarget(in: bytes)
        guard let token = RedirectPath.token(in: bytes.extracting(target)), scanner.skip(Self.version, in: bytes)
        else { return nil }
        var request = RedirectRequest()
        var (fieldCount, hostCount) = (0, 0)
        var languages = 0..<0
        while !scanner.skip("\r\n", in: bytes) {
            guard let (name, value) = scanner.skipField(in: bytes), fieldCount < Self.maximumFieldCount,
                Self.isPlain(bytes.extracting(name), bytes.extracting(value))
            else { return nil }
            fieldCount += 1
            if bytes.extracting(name).isSame(as: "host") { hostCount += 1 }
            if languages.isEmpty, bytes.extracting(name).isSame(as: "accept-language") { languages = value }
            request.read(bytes.extracting(name), bytes.extracting(value))
        }
        guard hostCount == 1 else { return nil }
        self.request = request
        self.target = target
        self.languages = languages
        self.token = (target.lowerBound + token.lowerBound)..<(target.lowerBound + token.upperBound)
        length = scanner.position
    }

    /// Whether a field says nothing about a body, and leaves the connection open.
    private static func isPlain(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: !name.isSame(as: "te")
        case 6: !name.isSame(as: "expect")
        case 7: !name.isSame(as: "upgrade") && !name.isSame(as: "trailer")
        case 10 where name.isSame(as: "connection"): value.isSame(as: "keep-alive")
        case 14: !name.isSame(as: "content-length")
        case 16: !name.isSame(as: "proxy-connection")
        case 17: !name.isSame(as: "transfer-encoding")
        default: true
        }
    }
}

/// Reads the bytes of a request. It accepts a subset of what HTTP allows.
private struct RequestScanner {
    private(set) var position = 0

    /// Skips `text`, if it comes next.
    mutating func skip(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount {
            guard bytes[position + offset] == text.utf8Start[offset] else { return false }
        }
        position += text.utf8CodeUnitCount
        return true
    }

    /// Skips visible ASCII.
    mutating func skipTarget(in bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        while position < bytes.count, bytes[position] > 0x20, bytes[position] < 0x7F,
            bytes[position] != UInt8(ascii: "#")
        {
            position += 1
        }
        return start..<position
    }

    /// Skips one field and the end of its line.
    mutating func skipField(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        let start = position
        while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
        let name = start..<position
        guard !name.isEmpty, skip(":", in: bytes) else { return nil }
        while position < bytes.count, bytes[position] == Self.space { position += 1 }
        let first = position
        while position < bytes.count, Self.isOfValue(bytes[position]) { position += 1 }
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

    private static func isOfValue(_ byte: UInt8) -> Bool { byte >= space && byte < 0x7F }
}
