package import Identifiers
package import Redirect
package import UseCases

/// What the auditors' pages use besides the stores.
package struct AuditingUseCases: Sendable {
    let accesses: PersonAccess
    let recording: ConsentRecording
    let interactions: LinkedInteractions
    let signer: CheckpointSigner
    let proofs: LedgerProofs
    let drain: Drain
    let lastLedgerCheck: @Sendable () -> Timestamp?

    /// - Parameter lastLedgerCheck: when all ledgers were last checked completely against the stored data; `nil` before
    ///   the first time.
    package init(
        accesses: PersonAccess, recording: ConsentRecording, interactions: LinkedInteractions, signer: CheckpointSigner,
        proofs: LedgerProofs, drain: Drain, lastLedgerCheck: @escaping @Sendable () -> Timestamp?
    ) {
        self.accesses = accesses
        self.recording = recording
        self.interactions = interactions
        self.signer = signer
        self.proofs = proofs
        self.drain = drain
        self.lastLedgerCheck = lastLedgerCheck
    }
}
