import ArgumentParser
import JSON
import Ledger

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify an audit export or the proof of a decision, without the service and its database.",
        discussion: """
            Says what was checked, or the first thing that does not hold, and then exits with 1. Take the verifier key \
            and earlier checkpoints from where they were kept, not from whoever gave you the file.

            EXAMPLE
              consentlink verify acme.tar --key "links.example.com/acme+530d903a+AekyeRrm…" --since acme-june.txt
            """
    )

    @Argument(
        help: ArgumentHelp("An audit export (.tar) or a tlog-proof; - is standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The ledger's verifier key: name+id+key.", valueName: "vkey"))
    var key: String

    @Option(
        help: ArgumentHelp(
            "A checkpoint from an earlier time, which the ledger of the export must continue.", valueName: "checkpoint"),
        completion: .file())
    var since: String?

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func run() async throws {
        let key: VerifierKey
        do throws(LedgerError) { key = try VerifierKey(self.key) } catch {
            throw CommandFailure("consentlink: --key: \(error)", exitCode: ExitStatus.usage)
        }
        let earlier = try earlier(key)
        let began = ContinuousClock.now
        let report: VerificationReport
        do {
            report = try verify(key, earlier)
        } catch let fault as AuditFault {
            if json { print(VerificationReport.json(of: fault)) }
            throw CommandFailure("consentlink: \(file) does not hold: \(fault)")
        }
        let took = ContinuousClock.now - began
        if json {
            print(report.json(took: took))
        } else {
            for line in ["\(file) holds.", ""] + report.lines(took: took) { print(line) }
        }
    }

    private func earlier(_ key: VerifierKey) throws -> SignedCheckpoint? {
        guard let since else { return nil }
        let bytes = try EvidenceFile.all(of: since, upTo: SignedNote.maximumLength)
        do throws(LedgerError) { return try SignedCheckpoint(bytes, by: key) } catch {
            throw CommandFailure("consentlink: --since: \(error)", exitCode: ExitStatus.usage)
        }
    }

    private func verify(_ key: VerifierKey, _ earlier: SignedCheckpoint?) throws -> VerificationReport {
        let source = try EvidenceFile(path: file)
        let header = Array(TLogProof.header.utf8)
        var piece = try source.next()
        // A pipe gives as little as it likes.
        while piece.count < header.count {
            let more = try source.next()
            guard !more.isEmpty else { break }
            piece += more
        }
        guard piece.starts(with: header) else {
            var verifier = AuditVerifier(key: key, since: earlier)
            while !piece.isEmpty {
                try verifier.take(piece)
                piece = try source.next()
            }
            return .export(try verifier.finish())
        }
        guard earlier == nil else {
            throw CommandFailure(
                "consentlink: --since goes with audit exports; a single proof does not show what was there before",
                exitCode: ExitStatus.usage)
        }
        var bytes: [UInt8] = []
        while !piece.isEmpty, bytes.count <= TLogProof.maximumLength {
            bytes += piece
            piece = try source.next()
        }
        let proof: TLogProof
        do throws(LedgerError) { proof = try TLogProof(bytes) } catch { throw AuditFault.proof(error) }
        return .proof(try proof.verify(by: key))
    }
}
