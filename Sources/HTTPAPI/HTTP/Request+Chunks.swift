import HTTPConnections
import HTTPTypes
package import Hummingbird

extension Request {
    /// Whether the answer may have chunks (RFC 9112, 7.1). Over HTTP/1.0 an answer of unknown length ends with the
    /// connection. If the service is killed, the system closes the connection, too, so a client, or a proxy that speaks
    /// HTTP/1.0, takes the part that it got for the whole answer.
    package var allowsChunks: Bool { headers[.olderVersion] == nil }
}

extension HTTPField.Name {
    static let olderVersion = HTTPField.Name.known(OlderVersion.field)
    static let lateBody = HTTPField.Name.known(LateBody.field)
}

extension Problem {
    /// The answer in place of one whose length is not known, to a request that does not allow chunks.
    static let chunksNeeded: Problem = {
        var problem = Problem(
            .upgradeRequired,
            """
            This answer is given over HTTP/1.1 only: HTTP/1.0 does not show whether it is whole. A proxy before the \
            service must speak HTTP/1.1 (nginx: proxy_http_version 1.1).
            """)
        // RFC 9110, 7.8 and 15.5.22.
        problem.headers[.upgrade] = "HTTP/1.1"
        problem.headers[.connection] = "upgrade"
        return problem
    }()
}
