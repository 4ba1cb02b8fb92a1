import ArgumentParser
import JSON
import Ledger

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an audit export, a proof or a person's receipt, without the service and its database.",
        discussion: """
            Says what was checked, or the first thing that does not hold, and then exits with 1. In a whole export, it \
            judges every decision again from the consent records and the enforcement before it, and lists those that \
            do not follow from them. Take the verifier key and earlier checkpoints from where you kept them, not from \
            the sender of the file. A receipt, given as --since, is an earlier checkpoint too: the export then shows \
            that the ledger still has what the receipt proves.

            EXAMPLE
              consentlink verify acme.tar \\
                --key "links.example.com/acme+83ff9952+AekyeRrm…" --since acme-june.txt
              consentlink verify consent-receipt.json \\
                --key "links.example.com/acme+83ff9952+AekyeRrm…"
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An audit export (.tar), a tlog-proof, a receipt, or the service's answer about a decision; - is standard "
                + "input.",
            valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The ledger's verifier key: name+id+key.", valueName: "vkey"))
    var key: String

    @Option(
        help: ArgumentHelp(
            "A checkpoint from an earlier time, or a proof or receipt with one, which the ledger of the export must "
                + "continue. A receipt must lead to the same tree.", valueName: "checkpoint"),
        completion: .file())
    var since: String?

    @Flag(help: "Refuse a filtered export: it does not show omitted entries.")
    var whole = false

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func run() async throws {
        let key: VerifierKey
        do throws(LedgerError) { key = try VerifierKey(self.key) } catch {
            throw CommandFailure("consentlink: --key: \(error)", exitCode: ExitStatus.usage)
        }
        let earlier = try since.map { try EarlierCheckpoint.read($0, by: key) }
        let began = ContinuousClock.now
        let report: VerificationReport
        do {
            report = try verify(key, earlier)
        } catch let fault as AuditFault {
            throw refusal(fault.description)
        } catch let fault as ReceiptFault {
            throw refusal(fault.description)
        }
        let isPart = whole && !report.isWhole
        show(report, isPart: isPart, took: ContinuousClock.now - began)
        if let reason = report.reason { throw failure(reason, report) }
        if isPart { throw CommandFailure("consentlink: \(file.shown) \(Self.notWhole), as --whole demands") }
    }

    private static let notWhole = "is not a whole export"

    /// - Parameter isPart: whether it is refused because it is not complete.
    private func show(_ report: VerificationReport, isPart: Bool, took: Duration) {
        if json {
            let demand = isPart ? "it \(Self.notWhole), as --whole demands" : nil
            sayJSON(report.json(refusing: report.reason ?? demand, took: took))
        } else {
            let verdict = report.reason != nil ? "DOES NOT HOLD." : isPart ? "holds, but \(Self.notWhole)." : "holds."
            for line in ["\(file) \(verdict)", ""] + report.lines(took: took) { say(line) }
        }
    }

    private func failure(_ reason: String, _ report: VerificationReport) -> CommandFailure {
        let exceptions = report.exceptions?.listed ?? []
        let more = Int(clamping: report.exceptions?.count ?? 0) - exceptions.count
        var lines = ["consentlink: \(file.shown) does not hold: \(reason)"] + exceptions.map { "  \($0.line)" }
        if more > 0 { lines.append("  and \(more.grouped) more") }
        return CommandFailure(lines.joined(separator: "\n"))
    }

    private func refusal(_ reason: String) -> CommandFailure {
        if json { sayJSON(VerificationReport.json(of: reason)) }
        return CommandFailure("consentlink: \(file.shown) does not hold: \(reason.shown)")
    }

    private func verify(_ key: VerifierKey, _ earlier: SignedCheckpoint?) throws -> VerificationReport {
        let source = try EvidenceFile(path: file)
        let header = Array(TLogProof.header.utf8)
        var piece = try source.next()
        // A read from a pipe may return few bytes.
        while piece.count < header.count {
            let more = try source.next()
            guard !more.isEmpty else { break }
            piece += more
        }
        let isDocument = EvidenceFile.isDocument(piece)
        guard isDocument || piece.starts(with: header) else {
            var verifier = AuditVerifier(key: key, since: earlier)
            while !piece.isEmpty {
                try verifier.take(piece)
                piece = try source.next()
            }
            return .export(try verifier.finish())
        }
        var bytes: [UInt8] = []
        while !piece.isEmpty, bytes.count <= DecisionDocument.maximumLength {
            bytes += piece
            piece = try source.next()
        }
        if isDocument, ConsentReceipt.isClaimed(by: bytes) {
            let findings = try ConsentReceipt.verify(bytes, by: key)
            return .receipt(findings, isCompared: try isSameTree(findings.checkpoint.head, earlier))
        }
        guard earlier == nil else {
            throw CommandFailure(
                "consentlink: --since goes with audit exports; a single proof does not show earlier entries",
                exitCode: ExitStatus.usage)
        }
        if isDocument { return try DecisionDocument(bytes).verify(by: key) }
        let proof: TLogProof
        do throws(LedgerError) {
            proof = try TLogProof(EvidenceFile.endingInOneNewline(bytes))
        } catch { throw AuditFault.proof(error) }
        return .proof(try proof.verify(by: key))
    }

    /// - Returns: `false` if there is nothing to compare with.
    private func isSameTree(_ head: TreeHead, _ earlier: SignedCheckpoint?) throws -> Bool {
        guard let held = earlier?.head else { return false }
        guard held.size == head.size else {
            throw CommandFailure(
                "consentlink: --since: your checkpoint is of \(held.size) entries and the receipt leads to \(head.size). "
                    + "One receipt does not show how the one follows from the other; verify an export with --since and "
                    + "the receipt",
                exitCode: ExitStatus.usage)
        }
        guard held.root == head.root else { throw AuditFault.forked(size: held.size) }
        return true
    }
}
