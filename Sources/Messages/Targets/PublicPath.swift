import ASCII

/// The paths, below the public origin, of the addresses that recipients get. The code that writes an address and the
/// code that answers it take the path from here.
package enum PublicPath: String, CaseIterable, Sendable {
    /// A tracked link; its tracking ID follows.
    case link = "/r/"
    /// The picture of openings; the message's tracking ID and `.gif` follow.
    case openPixel = "/o/"
    /// The page of a tracked recipient; the message's tracking ID follows.
    case withdrawal = "/p/"
    /// The common page of recipients who are not tracked; the organization follows.
    case preferences = "/preferences/"
    /// The page of a consent request; its token follows.
    case consentRequest = "/c/"
    /// A receipt; its token follows.
    case receipt = "/receipt/"

    /// The beginning of an address.
    package func start(at origin: PublicOrigin) -> String { origin.text + rawValue }

    /// What follows in the path of a request, without the one slash at the end that a mail gateway may have added, and
    /// without text that is not ASCII, such as a typographic quote that a mail program took for a part of the address.
    /// Several slashes at the beginning count as one, as for the router.
    ///
    /// - Precondition: `path` begins with this one.
    package func rest(of path: String) -> Substring {
        let rest = Self.asciiPrefix(of: path.drop { $0 == "/" }.dropFirst(rawValue.count - 1))
        return rest.utf8.last == UInt8(ascii: "/") ? rest.dropLast() : rest
    }

    /// A part of a path up to the first byte from 0x80 on, raw or percent-encoded.
    package static func asciiPrefix(of text: Substring) -> Substring {
        let bytes = text.utf8
        let end = bytes.indices.first { place in
            guard bytes[place] == UInt8(ascii: "%") else { return bytes[place] >= 0x80 }
            let digits = bytes[bytes.index(after: place)...].prefix(2).compactMap(\.hexDigitValue)
            return digits.count == 2 && digits[0] >= 8
        }
        return text[..<(end ?? text.endIndex)]
    }
}
