import HTTPAPI
import HTTPTypes
import Hummingbird
import Identifiers
import Ledger
import Logging
import NIOCore
import Organizations
import Redirect
import UseCases

/// The ledger with its private fields, as one archive: the same as the API's answer to `POST …/audits`.
///
/// It names many people. It is no look at one of them, but an administrative act: the log says which account did it.
struct LedgerExportRoutes {
    let stores: Stores
    let useCases: AuditingUseCases
    let page: LedgerPage
    let now: @Sendable () -> Timestamp
    let exports = LedgerExports()

    var routes: [ConsoleRoute] { [.file(.ledgerExport, .roles([.auditor]), export)] }

    @Sendable private func export(_ call: ConsoleCall) async throws -> ConsoleResponse {
        guard call.request.allowsChunks else { throw ConsoleRefusal.olderVersion }
        let texts = LedgerTexts.all[call.language]
        let organization = try call.requiredOrganization.id
        let selection: AuditSelection
        do {
            let days = try call.queryDays()
            selection = AuditSelection(recipient: nil, message: nil, from: days.from, to: days.to)
        } catch ConsoleRefusal.unfit(let field, let fault) {
            let failure = FieldFailure(field, fault, texts.fields, call.language)
            return .page(try await page.page(call, .noExport(failure, status: .unprocessableContent)))
        }
        guard let underWay = exports.begin(of: organization) else {
            let failure = FieldFailure("export", texts.exportUnderWay)
            return .page(try await page.page(call, .noExport(failure, status: .tooManyRequests)))
        }
        let (archive, leaves) = try await archive(selection, call)
        call.log("audit.export", details: ["filters": "\(selection.filterNames.joined(separator: ","))"])
        let name = "\(organization)-\(call.format.day(call.now)).tar"
        let download = DownloadWatch(call.validity(now), of: call.context.channel)
        return .stream(name: name, mediaType: "application/x-tar") { writer in
            // Before the end of the answer is sent: the browser may then request the next export.
            defer { underWay.end() }
            do {
                try await download.watching {
                    try await archive.write(leaves) { bytes in
                        // An empty chunk would end the body (RFC 9112, 7.1).
                        guard !bytes.isEmpty else { return }
                        try await writer.write(ByteBuffer(bytes: bytes))
                        download.didWrite()
                    }
                }
            } catch {
                call.log("audit.export", status: "cut off")
                throw error
            }
        }
    }

    private func archive(
        _ selection: AuditSelection, _ call: ConsoleCall
    ) async throws -> (AuditArchive, AuditArchive.Leaves) {
        let organization = try call.requiredOrganization.id
        await useCases.drain.catchUp()
        // Done first, so that no recipient is erased unnoticed between the checkpoint and the reading of the entries.
        let erased = try await stores.ledgers.keepErased(of: organization)
        let checkpoint = try await useCases.signer.checkpointOfEvidence(of: organization)
        let archive = AuditArchive(
            organization: organization, checkpoint: checkpoint, selection: selection, consistency: nil, madeAt: now(),
            ledgers: stores.ledgers, decisions: stores.decisions, consent: stores.consent, accesses: stores.accesses,
            interactions: useCases.interactions, validity: call.validity(now), erased: erased)
        // Read before the answer begins: if the store cannot be asked, the answer is a page that says so.
        return (archive, try await archive.leaves())
    }
}
