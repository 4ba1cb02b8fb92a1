import Pages

/// The picture whose request tells that a mail was opened.
package enum TransparentPixel {
    package static let mediaType = "image/gif"

    /// One transparent pixel, 43 bytes.
    package static let gif: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF,  // header, two colours
        0x21, 0xF9, 4, 1, 0, 0, 0, 0,  // the first of them is transparent
        0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,  // a picture of one pixel
    ]

    /// The answer with it, up to its date, as the picture's route writes it.
    static let preparedHead: [UInt8] = {
        let protection = ReaderProtection.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(mediaType)\r\n\(protection)"
        return Array("\(head)Content-Length: \(gif.count)\r\nDate: ".utf8)
    }()
}
