import HTTPTypes
import Identifiers
import Ledger
import Organizations
import Pages
import UseCases

/// The page of the ledger: its size, whether it is intact, and the answer to one of its forms.
struct LedgerPage: Sendable {
    static let area = "ledger"

    let useCases: AuditingUseCases

    /// Whether the ledger continues the checkpoint of the form, in words.
    struct Verdict {
        let text: String
        let tone: String
        let role: String
    }

    /// The answer to a form of the page.
    enum Answer {
        case verdict(Verdict)
        /// The text is no checkpoint.
        case unreadable(FieldFailure)
        case noExport(FieldFailure, status: HTTPResponse.Status)
    }

    private struct View {
        let texts: LedgerTexts
        let verdict: Verdict?
        let facts: String
        let isClosed: Bool
        let checkpoint: String
        let key: String
        let compare: String
        let token: String
        let unreadable: FieldFailure?
        let export: String
        let from: String
        let to: String
        let noExport: FieldFailure?
        let invalid: [String: Bool]
    }

    func page(_ call: ConsoleCall, _ answer: Answer? = nil) async throws -> ConsolePage {
        let texts = LedgerTexts.all[call.language]
        let (signer, organization) = (useCases.signer, try call.requiredOrganization.id)
        let (signed, key) = (
            try await signer.newest(of: organization), try await signer.verifier(of: organization)
        )
        let isClosed = signer.reason(for: organization) != nil
        let comparePath = call.path("\(Self.area)/compare")
        var (verdict, unreadable, noExport): (Verdict?, FieldFailure?, FieldFailure?) = (nil, nil, nil)
        var status = HTTPResponse.Status.ok
        switch answer {
        case .verdict(let given): verdict = given
        case .unreadable(let failure): (unreadable, status) = (failure, .unprocessableContent)
        case .noExport(let failure, let refused): (noExport, status) = (failure, refused)
        case nil: break
        }
        let view = View(
            texts: texts, verdict: verdict, facts: facts(of: signed.head, isClosed: isClosed, call).text,
            isClosed: isClosed, checkpoint: String(decoding: signed.bytes, as: UTF8.self), key: key.description,
            compare: comparePath,
            token: try call.formToken(for: comparePath), unreadable: unreadable,
            export: call.path("\(Self.area)/export"), from: call.query("from") ?? "", to: call.query("to") ?? "",
            noExport: noExport, invalid: (unreadable ?? noExport).invalid)
        var page = ConsolePage(
            area: .ledger, title: texts.title, lead: texts.lead, content: Templates.render("ledger", view))
        page.status = status
        // It replaces a file: its address would return the file in the other language.
        if noExport != nil { page.isOnce = true }
        return page
    }

    private func facts(of head: TreeHead, isClosed: Bool, _ call: ConsoleCall) -> HTML {
        let texts = LedgerTexts.all[call.language]
        let state: ConsoleTable.Cell =
            isClosed
            ? .state(texts.closed, code: "closed", tone: .bad) : .state(texts.open, code: "open", tone: .good)
        let lastCheck = useCases.lastLedgerCheck().map(call.format.second) ?? texts.notYet
        return Facts(facts: [
            Facts.Fact(texts.size, call.format.integer(Int(clamping: head.size))),
            Facts.Fact(texts.state, content: state.html(call.format)),
            Facts.Fact(texts.lastCheck, content: "\(lastCheck)"),
        ]).html
    }
}
