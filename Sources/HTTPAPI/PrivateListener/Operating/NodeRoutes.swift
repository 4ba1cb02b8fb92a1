import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import StoragePorts
import UseCases

/// The nodes that share the storage. Only the operator may ask.
struct NodeRoutes {
    /// `nil` if no other node shares the storage.
    let registry: (any NodeRegistry)?

    var routes: [Route] {
        [
            Route(.get, "/v1/nodes", .operatorAlone, list),
            Route(.delete, "/v1/nodes/{name}", .operatorAlone, act: .nodeRemoved, readsQuery: true, remove),
        ]
    }

    @Sendable private func list(_: AuthenticatedRequest) async throws -> Response {
        .list("nodes", try await registry?.nodes() ?? []) { $1.members(of: $0) }
    }

    @Sendable private func remove(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let force = try query.takeBool("force") ?? false
        try query.finish()
        guard let registry, let name = call.context.parameters.get("name").flatMap(NodeName.init) else {
            throw Problem.notFound
        }
        call.details.add("node", name.description)
        call.details.add("force", force)
        switch try await registry.remove(name, isForced: force) {
        case .removed: return Response(status: .noContent)
        case .unknown: throw Problem.notFound
        case .alive: throw Problem(.conflict, "This node runs. Stop it first.")
        case .hasClicks(let count):
            throw Problem(
                .conflict,
                """
                \(count) clicks were in the spool of this node when it ended; start it once more to store them. To \
                give them up: ?force=true, or --force on the command line.
                """)
        case .mayHaveClicks:
            throw Problem(
                .conflict,
                """
                This node did not say that it ended, so clicks may be in its spool; start it once more to store them. To \
                give them up: ?force=true, or --force on the command line.
                """)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of node: Node) {
        member("name", node.name.description)
        member("slot", node.slot.rawValue)
        member("state", node.stateName)
        member("version", node.version)
        member("lastSeenSeconds", node.lastBeat.components.seconds)
        member("changesBehind", node.changesBehind)
        member("spooled", node.spooled)
    }
}

extension Node {
    fileprivate var stateName: String {
        switch state {
        case .stopped: "stopped"
        case .running: isAlive ? "running" : "silent"
        }
    }
}
