import Identifiers
import Ledger
import Organizations
import UseCases

/// The ledger: how large it is, whether it holds, and whether it continues a checkpoint that somebody kept.
struct LedgerPageRoutes {
    private static let area = "ledger"
    private static let comparePath = "/orgs/{org}/ledger/compare"

    let ledgers: any LedgerStore
    let useCases: AuditingUseCases

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/ledger", .roles([.auditor])) { call in .page(try await page(call, nil)) },
            .form(Self.comparePath, .roles([.auditor]), compare),
            // Where the page of an answer is asked for again, such as in the other language.
            .page(Self.comparePath, .roles([.auditor])) { call in .redirect(to: call.path(Self.area)) },
        ]
    }

    private struct Answer {
        let text: String
        let tone: String
        let role: String
    }

    private struct View {
        let texts: LedgerTexts
        let answer: Answer?
        let size: String
        let isClosed: Bool
        let state: String
        let tone: String
        let lastCheck: String
        let checkpoint: String
        let key: String
        let compare: String
        let token: String
        let export: String
    }

    private func page(_ call: ConsoleCall, _ answer: Answer?) async throws -> ConsolePage {
        let texts = LedgerTexts.all[call.language]
        let (signer, organization) = (useCases.signer, try call.requiredOrganization.id)
        let (signed, key) = (
            try await signer.newest(of: organization), try await signer.verifier(of: organization)
        )
        let isClosed = signer.reason(for: organization) != nil
        let comparePath = call.path("\(Self.area)/compare")
        let view = View(
            texts: texts, answer: answer, size: call.format.integer(Int(clamping: signed.head.size)),
            isClosed: isClosed,
            state: isClosed ? texts.closed : texts.open,
            tone: (isClosed ? ConsoleTable.Tone.bad : .good).rawValue,
            lastCheck: useCases.lastLedgerCheck().map(call.format.second) ?? texts.notYet,
            checkpoint: String(decoding: signed.bytes, as: UTF8.self), key: key.description, compare: comparePath,
            token: try call.formToken(for: comparePath), export: call.path("\(Self.area)/export"))
        return ConsolePage(
            area: .ledger, title: texts.title, lead: texts.lead, content: Templates.render("ledger", view))
    }

    /// Changes nothing; a checkpoint is too long for an address.
    @Sendable private func compare(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let organization = try call.requiredOrganization.id
        let key = try await useCases.signer.verifier(of: organization)
        let newest = try await useCases.signer.checkpointOfEvidence(of: organization).head
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
        let isClosed = useCases.signer.reason(for: organization) != nil
        return .page(try await page(call, answer(verdict, newest, isClosed: isClosed, call)))
    }

    private func answer(_ verdict: CheckpointVerdict, _ newest: TreeHead, isClosed: Bool, _ call: ConsoleCall) -> Answer
    {
        let (texts, format) = (LedgerTexts.all[call.language], call.format)
        func count(_ head: TreeHead) -> String { format.integer(Int(clamping: head.size)) }
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
        return Answer(text: text, tone: tone.rawValue, role: tone == .good ? "status" : "alert")
    }
}
