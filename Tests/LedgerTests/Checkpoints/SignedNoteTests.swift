import Cryptography
import Ledger
import LedgerSamples
import Testing

@Suite("Signed notes")
struct SignedNoteTests {
    /// The example of Go's golang.org/x/mod/sumdb/note, which C2SP signed-note describes.
    static let neumann = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    static let text = """
        If you think cryptography is the answer to your problem,
        then you don't know what your problem is.

        """
    static let signature = """
        — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

        """

    @Test("Go's example is read, verified and written again")
    func example() throws {
        let bytes = Array((Self.text + "\n" + Self.signature).utf8)
        let note = try SignedNote(bytes)
        try note.verify(by: VerifierKey(Self.neumann))
        #expect(note.text == Array(Self.text.utf8))
        #expect(note.bytes == bytes)
    }

    @Test("Go's key signs the example as Go does")
    func signs() throws {
        // PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz
        let seed = try Base64.decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz").dropFirst()
        let signer = try SignerKey(name: KeyName("PeterNeumann"), seed: SecretBytes(Array(seed)))
        #expect(signer.verifier.description == Self.neumann)
        #expect(try signer.sign(Array(Self.text.utf8)).bytes == Array((Self.text + "\n" + Self.signature).utf8))
    }

    @Test("every bit of a note that is changed is noticed")
    func changedBits() throws {
        let signer = try someSigner("a")
        let bytes = try signer.sign(Array("x\n1\n".utf8)).bytes
        try SignedNote(bytes).verify(by: signer.verifier)
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: LedgerError.self, "bit \(bit)") { try SignedNote(changed).verify(by: signer.verifier) }
        }
    }

    @Test("what others signed besides is not looked at, but must be signatures")
    func others() throws {
        let (one, other) = (try someSigner("one"), try someSigner("other", seed: 8))
        let text = Array("x\n".utf8)
        let (first, second) = (try one.sign(text).signatures, try other.sign(text).signatures)
        let stranger = SignedNote.Signature(name: try KeyName("witness.example"), bytes: [1, 2, 3, 4, 5])
        let note = try SignedNote(SignedNote(text: text, signatures: [stranger] + first + second).bytes)
        try note.verify(by: one.verifier)
        try note.verify(by: other.verifier)
        #expect(note.signatures.count == 3)
        #expect(throws: LedgerError.notSigned(by: try KeyName("third"))) {
            try note.verify(by: someSigner("third").verifier)
        }
    }

    @Test("the same name with another key has not signed")
    func otherKey() throws {
        let note = try someSigner(seed: 1).sign(Array("x\n".utf8))
        let other = try someSigner(seed: 2).verifier
        #expect(throws: LedgerError.notSigned(by: other.name)) { try note.verify(by: other) }
    }

    @Test("one forged signature of a key is enough to refuse, whatever else it signed")
    func forgedBesides() throws {
        let signer = try someSigner()
        let text = Array("x\n".utf8)
        let good = try signer.sign(text).signatures
        let forged = try signer.sign(Array("y\n".utf8)).signatures
        let note = try SignedNote(text: text, signatures: good + forged)
        #expect(throws: LedgerError.forged(signer.verifier.name)) { try note.verify(by: signer.verifier) }
    }

    @Test("the text may have empty lines; the last one ends it")
    func emptyLines() throws {
        let signer = try someSigner()
        let note = try signer.sign(Array("a\n\n\nb\n".utf8))
        #expect(try SignedNote(note.bytes) == note)
    }

    @Test("no other bytes are read")
    func refused() {
        let signature = Self.signature
        for wrong in [
            "", "\n", "\n\n", "x\n", "x\n\n", "x\n\n\n", "x\n" + signature, "x\n\n" + signature + "\n",
            "x\n\n" + signature.dropLast(), "x\r\n\n" + signature, "x\u{0}\n\n" + signature, "x\t\n\n" + signature,
            "x\n\n- PeterNeumann x08go/ZJ\n", "x\n\n—PeterNeumann x08go/ZJ\n", "x\n\n— PeterNeumann\n",
            "x\n\n— Peter Neumann x08go/ZJ\n", "x\n\n— Peter+Neumann x08go/ZJ\n", "x\n\n—  x08go/ZJ\n",
            "x\n\n— PeterNeumann x08go/Z\n", "x\n\n— PeterNeumann x08goA==\n", "x\n\n— PeterNeumann  x08go/ZJ\n",
            "x\n\n" + signature + "y\n", "x\n\n" + String(repeating: signature, count: 65),
        ] {
            #expect(throws: LedgerError.self, "\(wrong.debugDescription)") { try SignedNote(Array(wrong.utf8)) }
        }
        #expect(throws: LedgerError.self) { try SignedNote([0xFF, 0x0A, 0x0A] + Array(signature.utf8)) }
        let long = String(repeating: "x", count: SignedNote.maximumLength) + "\n\n" + signature
        #expect(throws: LedgerError.self) { try SignedNote(Array(long.utf8)) }
        #expect(throws: LedgerError.self) { try SignedNote(text: Array("x".utf8), signatures: []) }
    }
}
