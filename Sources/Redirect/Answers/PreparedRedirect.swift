import Messages

/// The bytes of a link's 302 up to its date. Made once; an answer is a copy of them.
struct PreparedRedirect: Sendable {
    let bytes: [UInt8]

    /// A target is visible ASCII (checked when its message is made), so it cannot end its header field.
    init(to target: TargetURL) {
        var text = "HTTP/1.1 302 Found\r\nLocation: \(target.text)\r\n"
        text += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Robots-Tag: noindex, nofollow\r\n"
        text += "Content-Length: 0\r\nDate: "
        bytes = Array(text.utf8)
    }
}
