/// The file of an export that explains the others.
enum AuditReadme {
    static func text(_ checkpoint: Checkpoint, _ filters: AuditFilters) -> [UInt8] {
        let what =
            filters.areNone
            ? "It is whole: every entry of the ledger is in it, and what is missing is noticed."
            : "It was filtered: what is in it is proved, what was left out cannot be seen (manifest.json has the filters)."
        return Array(
            """
            An audit export of the ledger \(checkpoint.origin), \(checkpoint.head.size) entries.
            \(what)

            To verify it you need neither the service nor its database, only this archive, the program, and the
            verifier key, which you should have from somewhere else than this archive:

                consentlink verify EXPORT.tar --key "\(checkpoint.origin)+...+..."

            If you kept a checkpoint from an earlier time, add --since CHECKPOINT: it is then proved that nothing the
            ledger had at that time was changed or cut. Keep the file "checkpoint" of this export for the next time.

            README.txt            this text
            checkpoint            the newest signed checkpoint (c2sp.org/tlog-checkpoint, c2sp.org/signed-note)
            consistency           how its tree follows from an earlier one (as c2sp.org/tlog-witness has it), if asked for
            tile/                 hashes of the tree (c2sp.org/tlog-tiles)
            entries/*.ndjson      decisions, consent records, erasures and changes of enforcement, in the tree's order
            interactions/*.ndjson clicks and other interactions; no tree stands over them, the manifest has their sums
            manifest.json         counts, filters, and the SHA-256 of every file but tiles

            Each line of entries/ has the entry, whose SHA-256 behind a zero byte is a leaf of the tree, its index, and
            for decisions and consent records the private fields and the salt: HMAC-SHA-256 of the private fields
            under the salt is the entry's "commit". Whoever was erased has neither any more.

            What no verification can show: what was never entered, and a change made after the last checkpoint that
            left the operator's hands.

            """.utf8)
    }
}
