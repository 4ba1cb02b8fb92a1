import Messages

/// The bytes of a link's 302 up to its date, made once: answering is copying them.
struct PreparedRedirect: Sendable {
    let bytes: [UInt8]

    /// The target has been held to visible ASCII when its message was made, so it cannot break out of its header.
    init(to target: TargetURL) {
        var text = "HTTP/1.1 302 Found\r\nLocation: \(target.text)\r\n"
        text += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Robots-Tag: noindex, nofollow\r\n"
        text += "Content-Length: 0\r\nDate: "
        bytes = Array(text.utf8)
    }
}
