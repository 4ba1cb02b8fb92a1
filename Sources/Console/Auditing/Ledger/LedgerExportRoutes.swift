import Hummingbird
import Identifiers
import Ledger
import NIOCore
import Organizations
import Redirect
import UseCases

/// The ledger with what it is about, as one archive: what `POST …/audits` of the API answers.
struct LedgerExportRoutes {
    let stores: Stores
    let useCases: AuditingUseCases
    let now: @Sendable () -> Timestamp

    var routes: [ConsoleRoute] { [.page("/orgs/{org}/ledger/export", .roles([.auditor]), export)] }

    @Sendable private func export(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let organization = try call.requiredOrganization.id
        let selection = AuditSelection(
            recipient: nil, message: nil, from: try call.queryDay("from"), to: try call.queryDay("to"))
        await useCases.drain.catchUp()
        // First, so that no recipient is erased unnoticed between the checkpoint and the reading of the entries.
        let erased = try await stores.ledgers.keepErased(of: organization)
        let checkpoint = try await useCases.signer.checkpointOfEvidence(of: organization)
        let archive = AuditArchive(
            organization: organization, checkpoint: checkpoint, selection: selection, consistency: nil, madeAt: now(),
            ledgers: stores.ledgers, decisions: stores.decisions, consent: stores.consent, accesses: stores.accesses,
            interactions: useCases.interactions, access: call.ongoingAccess(now), erased: erased)
        // Looked for before the answer begins: a store that cannot be asked is told with a page.
        let leaves = try await archive.leaves()
        call.log("audit.export")
        let name = "\(organization)-\(call.format.day(call.now)).tar"
        return .stream(name: name, mediaType: "application/x-tar") { writer in
            try await archive.write(leaves) { bytes in
                // An empty chunk would end the body (RFC 9112, 7.1).
                if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
        }
    }
}
