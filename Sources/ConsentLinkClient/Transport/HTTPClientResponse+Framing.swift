import AsyncHTTPClient
import NIOHTTP1

extension HTTPClientResponse {
    /// A body of HTTP/1 that has neither a length nor chunks ends with its connection (RFC 9112, 6.3), so a part of it
    /// looks whole. The service frames every body. A proxy that speaks HTTP/1.0 may not.
    ///
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)``
    func mustShowItsEnd() throws(ConsentLinkError) {
        let hasChunks = headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked"
        guard version.major >= 2 || hasChunks || headers.contains(name: "Content-Length") else {
            throw .unexpectedAnswer("it has neither a length nor chunks, so a part of it would look whole")
        }
    }
}
