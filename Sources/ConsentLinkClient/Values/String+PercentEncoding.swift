extension String {
    /// The text with each byte of its UTF-8 as `%` and two digits (RFC 3986, 2.1), except the bytes that stay
    /// unchanged.
    ///
    /// - Parameter stays: must be false for bytes that are not ASCII, and for `%` if the text is decoded again.
    func percentEncoded(unless stays: (UInt8) -> Bool) -> String {
        var encoded = ""
        for byte in utf8 {
            if stays(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
