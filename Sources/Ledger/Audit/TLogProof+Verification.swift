extension TLogProof {
    /// Verifies the proof of a decision, a consent record or an access: that the key signed the checkpoint, that the
    /// entry is in its tree at this index, and that the entry commits to the given private fields.
    package func verify(by key: VerifierKey) throws(AuditFault) -> ProofFindings {
        let signed: SignedCheckpoint
        do throws(LedgerError) { signed = try SignedCheckpoint(note, by: key) } catch { throw .checkpoint(error) }
        guard let extra else { throw .proof(.proof("there is no entry in it to prove")) }
        guard let text = EntryText(extra[...]), text.index == nil else {
            throw .proof(.proof("its extra data is not an entry with its private fields"))
        }
        let location = EntryLocation(index: inclusion.index, name: EntrySummary(text.entry)?.name ?? "unreadable")
        var hasher = TreeHasher()
        let leaf = hasher.leaf(text.entry.span)
        guard inclusion.holds(for: leaf, in: signed.head, &hasher) else { throw .notIncluded(location) }
        var instants = TimestampReader()
        var committer = CommitmentHasher()
        guard let entry = ParsedEntry(text.entry, &instants) else { throw .entry(location, .form) }
        do throws(AuditFault.EntryFault) { _ = try OpenedEntry(entry, text, &committer) } catch {
            throw .entry(location, error)
        }
        return ProofFindings(
            checkpoint: signed.checkpoint, index: inclusion.index, entry: Array(text.entry),
            fields: text.fields.map { Array($0) })
    }
}
