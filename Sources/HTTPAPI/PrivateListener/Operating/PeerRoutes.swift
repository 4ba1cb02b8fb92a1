import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Messages
import Redirect
import UseCases

/// Requests of other nodes that do not know a message: where its links lead. See `PeerSeal`.
struct PeerRoutes {
    /// `nil` if there are no other nodes.
    let seal: PeerSeal?
    let directory: LinkDirectory

    var routes: [Route] { [Route(.get, "/v1/peer/messages/{id}/links/{link}", .anyone, copy)] }

    /// A caller that is no node learns nothing, not even whether the message exists.
    private static let header = HTTPField.Name.known("ConsentLink-Peer")

    @Sendable private func copy(_ call: AuthenticatedRequest) async throws -> Response {
        guard let id = call.context.parameters.get("id").flatMap({ try? MessageID($0) }),
            let link = call.context.parameters.get("link").flatMap({ UInt16($0) }).map(LinkIndex.init(rawValue:)),
            let header = call.request.headers[Self.header], let seal,
            let question = seal.question(in: header, of: id, link), let message = await directory.copy(of: id)
        else { throw Problem.notFound }
        let packed = Base64URL.encode(message.packed)
        let tag = try seal.tag(of: packed, to: question)
        return .json { writer in
            writer.object { writer in
                writer.member("message", packed)
                writer.member("tag", tag)
            }
        }
    }
}
