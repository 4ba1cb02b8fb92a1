package import Cryptography

/// Signs a ledger's checkpoints. May be used by several threads at the same time.
package struct SignerKey: Sendable {
    package let verifier: VerifierKey
    private let key: Ed25519PrivateKey

    /// - Parameter seed: the 32 bytes of the private key (RFC 8032). The caller must keep it secret.
    package init(name: KeyName, seed: SecretBytes) throws(CryptographyError) {
        self.init(name: name, key: try Ed25519PrivateKey(seed: seed))
    }

    /// Ledgers with the same seed share the key that is derived from it, which takes longer than the rest.
    package init(name: KeyName, key: Ed25519PrivateKey) {
        self.key = key
        verifier = VerifierKey(name: name, publicKey: key.publicKey)
    }

    /// The text with this key's signature below it.
    package func sign(_ text: [UInt8]) throws(LedgerError) -> SignedNote {
        let signature = SignedNote.Signature(
            name: verifier.name, bytes: verifier.idBytes + key.signature(of: text))
        return try SignedNote(text: text, signatures: [signature])
    }

    /// The head as a checkpoint of the ledger that has this key's name.
    package func sign(_ head: TreeHead) -> SignedCheckpoint {
        let checkpoint = Checkpoint(origin: verifier.name, head: head)
        let signature = SignedNote.Signature(
            name: verifier.name, bytes: verifier.idBytes + key.signature(of: checkpoint.text))
        return SignedCheckpoint(
            checkpoint: checkpoint, note: SignedNote(checkedText: checkpoint.text, signatures: [signature]))
    }
}
