import Identifiers
import Ledger
import Organizations
import UseCases

/// The ledger: its size, whether it is intact, and whether it continues a checkpoint that an auditor kept.
struct LedgerPageRoutes {
    private static let comparePath = "/orgs/{org}/ledger/compare"

    let ledgers: any LedgerStore
    let page: LedgerPage

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/ledger", .roles([.auditor])) { call in .page(try await page.page(call)) },
            .form(Self.comparePath, .roles([.auditor]), compare),
            // For a GET of an answer's page, for example in the other language.
            .page(Self.comparePath, .roles([.auditor])) { call in .redirect(to: call.path(LedgerPage.area)) },
        ]
    }

    private var signer: CheckpointSigner { page.useCases.signer }

    /// Changes nothing. It is a form because a checkpoint is too long for an address.
    @Sendable private func compare(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let organization = try call.requiredOrganization.id
        let key = try await signer.verifier(of: organization)
        let newest = try await signer.checkpointOfEvidence(of: organization).head
        let verdict: CheckpointVerdict
        switch CheckpointVerdict.read(call.form["checkpoint"], by: key) {
        case .failure(let refusal): verdict = refusal.verdict
        case .success(let earlier):
            let isThere = 0 < earlier.head.size && earlier.head.size <= newest.size
            let proof =
                isThere
                ? try await ledgers.consistencyProof(
                    from: earlier.head.size, to: newest.size, in: organization) : nil
            verdict = .compare(earlier.head, with: newest, proof)
        }
        let isClosed = signer.reason(for: organization) != nil
        return .page(try await page.page(call, answer(verdict, newest, isClosed: isClosed, call)))
    }

    private func answer(
        _ verdict: CheckpointVerdict, _ newest: TreeHead, isClosed: Bool, _ call: ConsoleCall
    ) -> LedgerPage.Answer {
        let (texts, format) = (LedgerTexts.all[call.language], call.format)
        func count(_ head: TreeHead) -> Amount { format.amount(Int(clamping: head.size)) }
        let (text, tone): (String, ConsoleTable.Tone) =
            switch verdict {
            case .unreadable: (texts.unreadable, .warning)
            case .otherLedger(let name): (texts.otherLedger(name), .warning)
            case .forged: (texts.forged, .bad)
            case .ahead(let old): (texts.ahead(count(old), count(newest)), .bad)
            case .departs(let old): (texts.departs(count(old)), .bad)
            case .continues where isClosed: (texts.continuesClosed, .bad)
            case .continues(let old): (texts.continues(count(old), count(newest)), .good)
            }
        if case .unreadable = verdict { return .unreadable(FieldFailure("checkpoint", text)) }
        return .verdict(
            LedgerPage.Verdict(text: text, tone: tone.rawValue, role: tone == .good ? "status" : "alert"))
    }
}
