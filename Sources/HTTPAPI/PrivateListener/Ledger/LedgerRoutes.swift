import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Ledger
import NIOCore
import Organizations
import UseCases

/// The ledger: its signed head, the tree below it, and proofs for its entries.
struct LedgerRoutes {
    let ledgers: any LedgerStore
    let signer: CheckpointSigner
    let proofs: LedgerProofs
    let accesses: AccessRecording

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/ledger", .scopes([.read]), read),
            Route(.get, "/v1/orgs/{org}/ledger/checkpoint", .scopes([.read]), checkpoint),
            Route(.get, "/v1/orgs/{org}/decisions/{id}/proof", .scopes([.read])) { call in
                let (id, organization) = (try call.id("id", as: DecisionID.self), try call.organization)
                try await accesses.record(.decisions, call) {
                    Self.recipient(in: try await ledgers.entry(of: id, in: organization))
                }
                return try answer(await proofs.proof(of: id, in: organization))
            },
            Route(.get, "/v1/orgs/{org}/consents/{id}/proof", .scopes([.read])) { call in
                let (id, organization) = (try call.id("id", as: ConsentRecordID.self), try call.organization)
                try await accesses.record(.consents, call) {
                    Self.recipient(in: try await ledgers.entry(of: id, in: organization))
                }
                return try answer(await proofs.proof(of: id, in: organization))
            },
        ]
            + Self.indexes.map { index in
                Route(.get, "/v1/orgs/{org}/ledger/tile/{level}/\(index)", .scopes([.read]), tile)
            }
    }

    /// An index is written in groups of three digits, followed by the width of a partial tile: `x001/x234/067.p/8`.
    /// These are enough for 10¹² tiles.
    private static let indexes = [
        "{index}", "{index}/{b}", "{index}/{b}/{c}", "{index}/{b}/{c}/{d}", "{index}/{b}/{c}/{d}/{e}",
    ]

    /// The recipient that a proof names.
    private static func recipient(in item: LedgerItem?) -> RecipientID? {
        guard let fields = item?.opening?.fields, case .object(let members)? = try? JSONValue.parse(fields),
            case .string(let recipient)? = members["recipient"]
        else { return nil }
        return try? RecipientID(recipient)
    }

    private func answer(_ proof: [UInt8]?) throws -> Response {
        guard let proof else { throw Problem.notFound }
        return .text(proof)
    }

    @Sendable private func read(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let (signed, key) = (
            try await signer.newest(of: organization), try await signer.verifier(of: organization)
        )
        return .json { writer in
            writer.object { writer in
                writer.member("origin", signed.checkpoint.origin.description)
                writer.member("size", signed.head.size)
                writer.member("root", signed.head.root.text)
                writer.member("verifierKey", key.description)
                writer.member("closed", signer.reason(for: organization).map { "\($0)" })
            }
        }
    }

    @Sendable private func checkpoint(_ call: AuthenticatedRequest) async throws -> Response {
        .text(try await signer.newest(of: call.organization).bytes)
    }

    /// Whole tiles and bundles never change; neither do partial ones, whose width is part of their name.
    @Sendable private func tile(_ call: AuthenticatedRequest) async throws -> Response {
        let path = call.request.uri.path.split(separator: "/", maxSplits: 4).last ?? ""
        guard let asked = try? TilePath(String(path)) else { throw Problem.notFound }
        let organization = try call.organization
        let bytes: [UInt8]
        switch asked.kind {
        case .hashes(let level):
            let id = TileID(level: level, index: asked.index)
            guard let tile = try await ledgers.tile(id, width: asked.width, in: organization) else {
                throw Problem.notFound
            }
            bytes = tile.bytes
        case .entries:
            guard asked.index <= UInt64.max / UInt64(Tile.width) else { throw Problem.notFound }
            let items = try await ledgers.entries(
                from: asked.index * UInt64(Tile.width), count: asked.width, in: organization)
            guard items.count == asked.width else {
                if let reason = signer.reason(for: organization) { throw reason }
                throw Problem.notFound
            }
            bytes = try EntryBundle(items.map(\.entry)).bytes
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .cacheControl: "private, max-age=31536000, immutable",
            ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Response {
    fileprivate static func text(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
