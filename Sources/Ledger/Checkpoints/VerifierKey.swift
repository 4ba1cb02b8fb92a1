import Cryptography

/// The key with which an auditor verifies a ledger: its name and the public key, as the text `name+id+key` of C2SP
/// signed-note.
///
///     links.example.com/acme+83ff9952+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k
package struct VerifierKey: Hashable, Sendable, CustomStringConvertible {
    /// Means Ed25519 over the text of the note.
    static let signatureType: UInt8 = 0x01

    package let name: KeyName
    let publicKey: Ed25519PublicKey
    /// The first four bytes of a hash over name, kind and key.
    let id: UInt32

    init(name: KeyName, publicKey: Ed25519PublicKey) {
        self.name = name
        self.publicKey = publicKey
        var hash = SHA256()
        hash.update(Array(name.description.utf8))
        hash.update([.newline, Self.signatureType])
        hash.update(publicKey.bytes.span)
        let digest = hash.finishInline()
        id = (0..<4).reduce(0) { $0 << 8 | UInt32(digest[$1]) }
    }

    /// - Parameter text: its id must be the one that follows from name and key.
    package init(_ text: String) throws(LedgerError) {
        // Base64 may contain plus signs, a name may not.
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .verifierKey("it has three parts with a plus between them") }
        let name = try KeyName(String(parts[0]))
        guard let material = Base64.decode(Array(parts[2].utf8).span) else {
            throw .verifierKey("the key is not Base64")
        }
        guard material.first == Self.signatureType else { throw .verifierKey("the key is not for Ed25519") }
        guard let publicKey = Ed25519PublicKey(material.span.extracting(droppingFirst: 1)) else {
            throw .verifierKey("an Ed25519 key is 32 bytes")
        }
        self.init(name: name, publicKey: publicKey)
        guard parts[1].utf8.elementsEqual(idText.utf8) else { throw .verifierKey("the id is not that of this key") }
    }

    package var description: String {
        "\(name)+\(idText)+\(Base64.encode([Self.signatureType] + publicKey.bytes.indices.map { publicKey.bytes[$0] }))"
    }

    private var idText: String { Hexadecimal.encode(idBytes) }

    var idBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) } }
}
