import HTTPTypes
import Hummingbird
import NIOCore
import Redirect

extension RefusalResponse {
    /// A page in the reader's language if the request accepts HTML, else a problem document.
    func response(to request: Request) -> Response {
        let content = content(in: request.acceptsHTML ? request.pageLanguage : nil)
        return Response(
            status: .init(code: code), headers: HTTPFields(content.header),
            body: .init(byteBuffer: ByteBuffer(string: content.body)))
    }
}
