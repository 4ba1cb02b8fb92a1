import Hummingbird
package import Identifiers
import JSON

/// A link that signs the operator in to the console once.
package struct SignInLink: Sendable {
    let url: String
    let expiresAt: Timestamp

    package init(url: String, expiresAt: Timestamp) {
        self.url = url
        self.expiresAt = expiresAt
    }
}

/// Makes links that sign in to the console, so that an operator need not type a key into a browser.
struct ConsoleLinkRoutes {
    /// Returns `nil` if this node has no console.
    let makeLink: @Sendable (Timestamp) async throws -> SignInLink?
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [Route(.post, "/v1/console/sign-in-links", .operatorAlone, act: .consoleLinkMade, takesBody: false, make)]
    }

    @Sendable private func make(_: AuthenticatedRequest) async throws -> Response {
        guard let link = try await makeLink(now()) else {
            throw Problem(.notFound, "This node has no console. To have one, set console-listen and start it again.")
        }
        return .json(.created) { writer in
            writer.object { writer in
                writer.member("url", link.url)
                writer.member("expiresAt", link.expiresAt.rfc3339)
            }
        }
    }
}
