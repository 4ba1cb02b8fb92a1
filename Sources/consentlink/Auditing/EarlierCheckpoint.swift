import ArgumentParser
import JSON
import Ledger

/// A checkpoint that an auditor kept: alone, or in a proof or a receipt.
enum EarlierCheckpoint {
    /// - Throws: `CommandFailure` if the file cannot be read, or if it is not valid under this key.
    static func read(_ path: String, by key: VerifierKey) throws -> SignedCheckpoint {
        let bytes = try EvidenceFile.all(of: path, upTo: ConsentReceipt.maximumLength)
        do {
            if EvidenceFile.isDocument(bytes) { return try ConsentReceipt.verify(bytes, by: key).checkpoint }
            let note = EvidenceFile.endingInOneNewline(bytes)
            guard bytes.starts(with: TLogProof.header.utf8) else { return try SignedCheckpoint(note, by: key) }
            let proof = try TLogProof(note)
            _ = try proof.verify(by: key)
            return try SignedCheckpoint(proof.note, by: key)
        } catch let fault as ReceiptFault {
            throw failure("\(fault)")
        } catch let fault as AuditFault {
            throw failure(fault.description)
        } catch let error as LedgerError {
            throw failure("\(error)")
        }
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure("consentlink: --since: \(reason.shown)", exitCode: ExitStatus.usage)
    }
}
