/// A request for a link as nearly all are: one whole `GET` in HTTP/1.1 without a body, and without a header field that
/// changes how the connection continues.
///
/// It is read from the bytes directly, in a small part of the time that an HTTP decoder takes. It refuses nothing:
/// a request that is not plain, or not complete, goes to the decoder. The decoder reads a plain request in the same way
/// (a test compares the two). Bytes from 0x80 on in its target are escaped before it (``TargetEscaper``).
struct PlainRequest {
    /// The decoder accepts or refuses longer requests.
    static let maximumLength = 8 * 1024

    let request: RedirectRequest
    /// The range of its target in the bytes.
    let target: Range<Int>
    /// The range of its token in the bytes.
    let token: Range<Int>
    /// The range of the first `Accept-Language` value in the bytes; empty if there is none.
    let languages: Range<Int>
    /// The length in bytes, with the empty line at its end.
    let length: Int

    /// - Returns: `nil` if `bytes` do not begin with such a request.
    init?(_ bytes: Span<UInt8>, _ agents: RecentAgents) {
        let bytes = bytes.extracting(first: Self.maximumLength)
        var scanner = RequestScanner()
        guard scanner.skip("GET ", in: bytes) else { return nil }
        let target = scanner.skipLinkTarget(in: bytes)
        guard let token = RedirectPath.token(in: bytes.extracting(target)),
            scanner.skip(RequestScanner.version, in: bytes)
        else { return nil }
        var header = PlainHeader(agents: agents)
        guard header.read(&scanner, in: bytes) == .whole, header.bodyLength == nil else { return nil }
        request = header.request
        self.target = target
        languages = header.languages
        self.token = (target.lowerBound + token.lowerBound)..<(target.lowerBound + token.upperBound)
        length = scanner.position
    }
}
