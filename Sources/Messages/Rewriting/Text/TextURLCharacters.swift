extension UInt8 {
    /// RFC 3986: unreserved, reserved and the percent sign.
    var isURLCharacter: Bool {
        isLetter || isDigit || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(self)
    }
}

extension Unicode.Scalar {
    /// Whether a URL that somebody wrote as they read it, without percent-encoding, goes on with this letter.
    ///
    /// Letters of scripts that put spaces between words do. Chinese, Japanese and Korean text follows a URL without a
    /// space, so there it only goes on where the URL cannot have come to its end, behind `=` or in the middle of a path.
    func continuesURL(behind url: some BidirectionalCollection<UInt8>) -> Bool {
        guard properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark
        else { return false }
        guard isWrittenWithoutSpaces else { return true }
        guard let last = url.last else { return true }
        if last == UInt8(ascii: "/") { return url.dropLast().contains(UInt8(ascii: "/")) }
        return last >= 0x80 || "=-_&?#%+~".utf8.contains(last)
    }

    private var isWrittenWithoutSpaces: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The character that begins at `place`, in what is UTF-8 all through.
    func scalar(at place: Int) -> Unicode.Scalar? {
        var bytes = self[place..<Swift.min(place + 4, count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
        return scalar
    }

    /// Whether something begins here that mail systems fill in when they send.
    func opensPlaceholder(at place: Int) -> Bool {
        hasWord("{{", at: place) || hasWord("{%", at: place) || hasWord("<%", at: place) || hasWord("*|", at: place)
            || hasWord("%%", at: place)
    }
}
