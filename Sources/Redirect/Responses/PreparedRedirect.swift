import Messages

/// The bytes of a link's 302 up to its date. Made once; an answer is a copy of them.
struct PreparedRedirect: Sendable {
    private static let start = "HTTP/1.1 302 Found\r\nLocation: "

    let bytes: [UInt8]

    /// A target is visible ASCII (checked when its message is made), so it cannot end its header field.
    init(to target: TargetURL) {
        var text = "\(Self.start)\(target.text)\r\n"
        text += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Robots-Tag: noindex, nofollow\r\n"
        text += "Content-Length: 0\r\nDate: "
        bytes = Array(text.utf8)
    }

    /// The URL that the answer leads to. Read from the bytes: a second copy would double the memory of a link.
    var target: TargetURL? {
        let text = bytes.dropFirst(Self.start.utf8.count).prefix { $0 != UInt8(ascii: "\r") }
        return try? TargetURL(stored: String(decoding: text, as: UTF8.self))
    }
}
