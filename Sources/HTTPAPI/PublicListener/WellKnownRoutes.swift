import HTTPTypes
import Hummingbird
import NIOCore

/// What the public origin states about itself to any client.
enum WellKnownRoutes {
    /// The date since which this service treats Global Privacy Control as a no; its specification asks for it.
    private static let gpc = #"{"gpc":true,"lastUpdate":"2026-11-21"}"# + "\n"
    /// A crawler that follows links would be counted, or would have to be recognised.
    private static let robots = "User-agent: *\nDisallow: /\n"

    static func add(to router: Router<BasicRequestContext>) {
        router.document("/.well-known/gpc.json") { text(gpc, type: "application/json") }
        router.document("/robots.txt") { text(robots, type: "text/plain; charset=utf-8") }
    }

    private static func text(_ body: String, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "public, max-age=86400"],
            body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}
