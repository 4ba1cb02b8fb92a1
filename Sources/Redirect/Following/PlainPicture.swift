/// A request for the picture of a mail as nearly all are: one whole `GET /o/{token}.gif` in HTTP/1.1, otherwise as a
/// ``PlainRequest`` is. It refuses nothing: what is not plain goes to the decoder, and from there to the route.
struct PlainPicture {
    /// The method, and `PublicPath.openPixel`.
    private static let beginning: StaticString = "GET /o/"
    private static let type: StaticString = ".gif"

    /// What the header says of the client.
    let signals: RequestSignals
    /// The range of its token in the bytes.
    let token: Range<Int>
    /// The length in bytes, with the empty line at its end.
    let length: Int

    /// - Returns: `nil` if `bytes` do not begin with such a request.
    init?(_ bytes: Span<UInt8>, _ agents: RecentAgents) {
        let bytes = bytes.extracting(first: PlainRequest.maximumLength)
        var scanner = RequestScanner()
        guard scanner.skip(Self.beginning, in: bytes) else { return nil }
        token = scanner.skipToken(in: bytes)
        guard scanner.skip(Self.type, in: bytes) else { return nil }
        // A query changes nothing. What else stands here, the router reads.
        let end = scanner.position
        let query = scanner.skipTarget(in: bytes)
        guard query.isEmpty || bytes[end] == UInt8(ascii: "?"), scanner.skip(RequestScanner.version, in: bytes) else {
            return nil
        }
        var header = PlainHeader(agents: agents)
        guard header.read(&scanner, in: bytes) == .whole, header.bodyLength == nil else { return nil }
        signals = header.request.signals
        length = scanner.position
    }
}
