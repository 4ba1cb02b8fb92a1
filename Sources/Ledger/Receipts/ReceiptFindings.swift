/// The verified content of a receipt.
package struct ReceiptFindings: Equatable, Sendable {
    package let receipt: ConsentReceipt
    package let proof: ProofFindings
    /// The checkpoint in the proof.
    package let checkpoint: SignedCheckpoint
}
