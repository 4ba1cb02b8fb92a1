import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import HTTPAPI

/// Which bodies are forms.
@Suite struct FormTests {
    private func isForm(_ type: String?) -> Bool {
        var headers = HTTPFields()
        headers[.contentType] = type
        return Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        ).hasForm
    }

    @Test(
        "a form is told by its media type, in any case of letters and with any parameters",
        arguments: [
            "application/x-www-form-urlencoded", "Application/X-WWW-Form-URLEncoded",
            "application/x-www-form-urlencoded;charset=UTF-8", "application/x-www-form-urlencoded; charset=UTF-8",
            "application/x-www-form-urlencoded ; charset=UTF-8", "application/x-www-form-urlencoded\t;",
            "application/x-www-form-urlencoded;",
        ])
    func forms(_ type: String) { #expect(isForm(type)) }

    @Test(
        "a media type that only begins or ends like it is another one",
        arguments: [
            nil, "", ";", "application/x-www-form-urlencodedx", "application/x-www-form-urlencoded+json",
            "application/x-www-form-urlencoded charset=UTF-8", "x-www-form-urlencoded",
            ";application/x-www-form-urlencoded", "text/plain;application/x-www-form-urlencoded",
            "multipart/form-data; boundary=b",
        ])
    func others(_ type: String?) { #expect(!isForm(type)) }
}
