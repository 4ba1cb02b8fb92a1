import AsyncHTTPClient
import Foundation
import NIOHTTP1

extension HTTPClientResponse {
    /// A proxy may answer another 2xx to every request, which must not be taken for an answer of the service.
    ///
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` for an answer with another status.
    func mustHave(_ expected: HTTPResponseStatus) throws(ConsentLinkError) {
        guard status.code == expected.code else {
            throw .unexpectedAnswer("its status is \(status.code), and not \(expected.code)")
        }
    }

    /// A proxy may answer 200 with a page of its own, which must not be taken for lines or for an archive.
    ///
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` for an answer of another media type, or of none.
    func mustBe(_ mediaType: String) throws(ConsentLinkError) {
        guard let found = self.mediaType else { throw .unexpectedAnswer("it has no Content-Type") }
        guard found == mediaType else { throw .unexpectedAnswer("its Content-Type is not \(mediaType)") }
    }

    /// The private listener sends no page for browsers, so a page is of a proxy, such as one to sign in with.
    ///
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)``
    func mustBeNoPage() throws(ConsentLinkError) {
        guard mediaType != "text/html" else { throw .unexpectedAnswer("it is a page (text/html)") }
    }

    /// Without parameters, in small letters.
    private var mediaType: String? {
        headers.first(name: "Content-Type").map {
            $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }
}
