import HTTPTypes
import Hummingbird
import NIOCore
import Redirect

extension RefusalAnswer {
    /// A page in the reader's language if the request accepts HTML, else a problem document.
    func response(to request: Request) -> Response {
        let asHTML = request.headers[values: .accept].contains { $0.lowercased().contains("text/html") }
        let content = content(in: asHTML ? request.pageLanguage : nil)
        var headers = HTTPFields()
        for (name, value) in content.header { headers[.known(name)] = value }
        return Response(
            status: .init(code: code), headers: headers, body: .init(byteBuffer: ByteBuffer(string: content.body)))
    }
}
