/// A request for a link as nearly all are: one whole `GET` in HTTP/1.1 without a body, and nothing in its header that
/// says how the connection goes on.
///
/// It is read from the bytes as they came, which takes a small part of the time that an HTTP decoder takes. Nothing is
/// refused here: whatever is not plain, or not whole, is the decoder's. What is plain, the decoder understands in the
/// same way (a test holds the two against each other).
struct PlainRequest {
    let request: RedirectRequest
    /// Where its token stands.
    let token: Range<Int>
    /// How many bytes it takes, with the empty line at its end.
    let length: Int

    private static let method: StaticString = "GET "
    private static let version: StaticString = " HTTP/1.1\r\n"
    /// Longer headers, and more of them, are the decoder's to accept or to refuse.
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
        while !scanner.skip("\r\n", in: bytes) {
            guard let (name, value) = scanner.skipField(in: bytes), fieldCount < Self.maximumFieldCount,
                Self.isPlain(bytes.extracting(name), bytes.extracting(value))
            else { return nil }
            fieldCount += 1
            if bytes.extracting(name).isSame(as: "host") { hostCount += 1 }
            request.read(bytes.extracting(name), bytes.extracting(value))
        }
        guard hostCount == 1 else { return nil }
        self.request = request
        self.token = (target.lowerBound + token.lowerBound)..<(target.lowerBound + token.upperBound)
        length = scanner.place
    }

    /// Whether a field says nothing about a body, and nothing new about the connection.
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

/// Walks over the bytes of a request. It takes less than HTTP allows, and nothing that HTTP does not.
private struct RequestScanner {
    private(set) var place = 0

    /// Goes past `text`, if it stands here.
    mutating func skip(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount {
            guard bytes[place + offset] == text.utf8Start[offset] else { return false }
        }
        place += text.utf8CodeUnitCount
        return true
    }

    /// Goes past visible ASCII.
    mutating func skipTarget(in bytes: Span<UInt8>) -> Range<Int> {
        let start = place
        while place < bytes.count, bytes[place] > 0x20, bytes[place] < 0x7F, bytes[place] != UInt8(ascii: "#") {
            place += 1
        }
        return start..<place
    }

    /// Goes past one field and the end of its line.
    mutating func skipField(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        let start = place
        while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
        let name = start..<place
        guard !name.isEmpty, skip(":", in: bytes) else { return nil }
        while place < bytes.count, bytes[place] == Self.space { place += 1 }
        let first = place
        while place < bytes.count, Self.isOfValue(bytes[place]) { place += 1 }
        var end = place
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
