import Consent
import Hummingbird
import Identifiers
import Interactions
import JSON
import Ledger
import NIOCore
import Organizations
import Redirect
import UseCases

/// Evidence for auditors: decisions, consent records and interactions in one archive, with their proofs.
struct AuditRoutes {
    let ledgers: any LedgerStore
    let signer: CheckpointSigner
    let decisions: any DecisionArchive
    let consent: any ConsentArchive
    let accesses: any AccessLog
    let recording: AccessRecording
    let interactions: LinkedInteractions
    let drain: Drain
    let now: @Sendable () -> Timestamp

    var routes: [Route] { [Route(.post, "/v1/orgs/{org}/audits", .scopes([.read]), act: .auditExported, export)] }

    private struct Asked {
        var selection: AuditSelection
        let since: String?
    }

    private static var shape: JSONShape<Asked> {
        .object { fields throws(BodyProblems) in
            let times = fields.times()
            let selection = AuditSelection(
                recipient: fields.optional("recipient", .string(RecipientID.init)),
                message: fields.optional("message", .string(MessageID.parse)),
                from: times.from, to: times.to)
            let since = fields.optional("since", .string)
            try fields.finish()
            return Asked(selection: selection, since: since)
        }
    }

    @Sendable private func export(_ call: AuthenticatedRequest) async throws -> Response {
        guard call.request.allowsChunks else { throw Problem.chunksNeeded }
        var asked = try await call.json(as: Self.shape)
        let organization = try call.organization
        call.details.add("filters", asked.selection.filterNames.joined(separator: ","))
        if let recipient = asked.selection.recipient {
            // The spelling that the entries use, so that a reader of the export finds the filter's recipient in it.
            asked.selection.recipient = try await consent.firstName(of: recipient, in: organization) ?? recipient
        }
        let look = try await recording.record(.export, of: asked.selection.recipient, call)
        await drain.catchUp()
        // Done first, so that no recipient is erased unnoticed between the checkpoint and the reading of the entries.
        let erased = try await ledgers.keepErased(of: organization)
        let checkpoint = try await signer.checkpointOfEvidence(of: organization)
        let export = AuditArchive(
            organization: organization, checkpoint: checkpoint, selection: asked.selection,
            consistency: try await consistency(since: asked.since, checkpoint, organization), madeAt: now(),
            ledgers: ledgers, decisions: decisions, consent: consent, accesses: accesses,
            interactions: interactions, validity: call.validity, erased: erased, look: look)
        // Read before the answer begins: if the store cannot be asked, the answer is a problem document.
        let leaves = try await export.leaves()
        return Response(
            status: .ok, headers: [.contentType: "application/x-tar", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await export.write(leaves) { bytes in
                    // An empty chunk would end the body (RFC 9112, 7.1).
                    if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
                }
                try await writer.finish(nil)
            })
    }

    /// How the tree follows from the auditor's checkpoint.
    private func consistency(
        since text: String?, _ checkpoint: SignedCheckpoint, _ organization: OrganizationID
    ) async throws -> ConsistencyProof? {
        guard let text else { return nil }
        let key = try await signer.verifier(of: organization)
        let earlier: SignedCheckpoint
        do throws(LedgerError) { earlier = try SignedCheckpoint(Array(text.utf8), by: key) } catch {
            throw Self.refusal(error.description)
        }
        let refusal = Self.refusal("the ledger does not continue this checkpoint")
        guard earlier.head.size > 0 else { return nil }
        guard
            let proof = try await ledgers.consistencyProof(
                from: earlier.head.size, to: checkpoint.head.size, in: organization)
        else { throw refusal }
        var hasher = TreeHasher()
        guard proof.holds(from: earlier.head, to: checkpoint.head, &hasher) else { throw refusal }
        return proof
    }

    private static func refusal(_ detail: String) -> Problem {
        Problem(BodyProblems(JSONPointer.root.appending("since"), detail))
    }
}
