import Cryptography
import Ledger
import LedgerSamples
import Testing

/// The example of C2SP tlog-checkpoint.
private let sofa = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"

@Suite("Checkpoints")
struct CheckpointTests {
    @Test("are read and written as text")
    func text() throws {
        let checkpoint = try Checkpoint(Array(sofa.utf8))
        #expect(checkpoint.origin.description == "example.com/behind-the-sofa")
        #expect(checkpoint.head.size == 20_852_163)
        #expect(checkpoint.text == Array(sofa.utf8))
        let nothing = "example.com/behind-the-sofa\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
        #expect(try Checkpoint(Array(nothing.utf8)).head.size == 0)
    }

    @Test(
        "no other text is read",
        arguments: [
            "", "\n", "a\n", "a\n1\n", String(sofa.dropLast()), sofa + "\n", sofa + "more\n", "\n" + sofa,
            sofa.replacing("20852163", with: "020852163"), sofa.replacing("20852163", with: "-1"),
            sofa.replacing("20852163", with: "0"), sofa.replacing("20852163", with: "+1"),
            sofa.replacing("20852163", with: "1 "),
            sofa.replacing("20852163", with: ""),
            sofa.replacing("20852163", with: "18446744073709551616"), sofa.replacing("2I=", with: "2J="),
            sofa.replacing("2I=", with: "2I"), sofa.replacing("CsUYap", with: ""),
            sofa.replacing("sofa", with: "so fa"),
            sofa.replacing("sofa", with: "so+fa"), sofa.replacing("\n", with: "\r\n"),
            sofa.replacing("2I=", with: "2I= "),
        ])
    func refused(text: String) {
        #expect(throws: LedgerError.self) { try Checkpoint(Array(text.utf8)) }
    }

    @Test("are opened with the key of their ledger alone")
    func opened() throws {
        let signer = try someSigner()
        let signed = signer.sign(TreeHead(size: 3, root: someLeaves(1)[0]))
        #expect(try SignedCheckpoint(signed.bytes, by: signer.verifier) == signed)
        let other = try someSigner("links.example.com/other")
        let foreign = try other.sign(signed.checkpoint.text)
        #expect(throws: LedgerError.origin(expected: other.verifier.name)) {
            try SignedCheckpoint(foreign.bytes, by: other.verifier)
        }
        let noCheckpoint = try signer.sign(Array("links.example.com/acme\nhello\n".utf8))
        #expect(throws: LedgerError.self) { try SignedCheckpoint(noCheckpoint.bytes, by: signer.verifier) }
    }

    @Test(
        "names of keys have no spaces, plus signs and control characters",
        arguments: [
            "", " ", "a b", "a+b", "a\n", "a\u{A0}b", "a\u{2003}b", "a\u{0}", "a\u{85}",
            String(repeating: "a", count: 256),
        ])
    func names(text: String) {
        #expect(throws: LedgerError.keyName) { try KeyName(text) }
    }

    @Test("verifier keys come back from their text, and from no other")
    func verifierKeys() throws {
        let key = try someSigner().verifier
        #expect(try VerifierKey(key.description) == key)
        let parts = key.description.split(separator: "+", maxSplits: 2).map(String.init)
        let (name, id, material) = (parts[0], parts[1], parts[2])
        let cosignature = try Base64.encode([4] + Base64.decode(material).dropFirst())
        for wrong in [
            "", name, "\(name)+\(id)", "\(name)+\(id)+", "+\(id)+\(material)", "\(name) +\(id)+\(material)",
            "\(name)+\(id.uppercased() == id ? "00000000" : id.uppercased())+\(material)", "\(name)+0\(id)+\(material)",
            "\(name)x+\(id)+\(material)", "\(name)+\(id)+\(material.dropLast())", "\(name)+\(id)+\(material)=",
            "\(name)+\(id)+\(cosignature)", "\(name)+\(id)+AQ==", "\(name)+\(id)+\(material)\n",
        ] {
            #expect(throws: LedgerError.self, "\(wrong)") { try VerifierKey(wrong) }
        }
    }
}
