import Identifiers
import Ledger
import UseCases

/// Whether a ledger continues a checkpoint that an auditor kept.
enum CheckpointVerdict: Equatable, Sendable {
    /// The text is no checkpoint.
    case unreadable
    /// It is of another ledger, which it names.
    case otherLedger(String)
    /// This ledger's key did not sign this text: it was changed, or made by another party.
    case forged
    /// It was signed, and the ledger has fewer entries now.
    case ahead(TreeHead)
    /// It was signed, and the ledger does not begin with the signed entries.
    case departs(TreeHead)
    /// All entries of that time are unchanged.
    case continues(TreeHead)

    /// The content of a text: a checkpoint with a valid signature, or why it is none.
    static func read(_ text: String, by key: VerifierKey) -> Result<SignedCheckpoint, Refusal> {
        let bytes = Array(normalized(text).utf8)
        guard let note = try? SignedNote(bytes), let checkpoint = try? Checkpoint(note.text) else {
            return .failure(Refusal(verdict: .unreadable))
        }
        guard checkpoint.origin == key.name else {
            return .failure(Refusal(verdict: .otherLedger(checkpoint.origin.description)))
        }
        guard let signed = try? SignedCheckpoint(note, by: key) else { return .failure(Refusal(verdict: .forged)) }
        return .success(signed)
    }

    struct Refusal: Error {
        let verdict: CheckpointVerdict
    }

    /// Browsers send line ends as in RFC 822, and people copy white space around a text.
    private static func normalized(_ text: String) -> String {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - earlier: the tree of the checkpoint, whose signature is valid.
    ///   - proof: the proof from it to `newest`; `nil` if the ledger has none.
    static func compare(_ earlier: TreeHead, with newest: TreeHead, _ proof: ConsistencyProof?) -> CheckpointVerdict {
        guard earlier.size > 0 else { return .continues(earlier) }
        guard earlier.size <= newest.size else { return .ahead(earlier) }
        var hasher = TreeHasher()
        guard let proof, proof.holds(from: earlier, to: newest, &hasher) else { return .departs(earlier) }
        return .continues(earlier)
    }
}
