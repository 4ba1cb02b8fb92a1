import Cryptography

/// A text and its signatures (C2SP signed-note).
///
///     links.example.com/acme
///     20852163
///     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
///
///     — links.example.com/acme Az3grlgt…
package struct SignedNote: Equatable, Sendable {
    /// Enough for 16 signatures of the largest kind, of 5 kB each.
    package static let maximumLength = 128 * 1024
    static let maximumSignatures = 64

    package struct Signature: Equatable, Sendable {
        let name: KeyName
        /// The key's id, which is four bytes, and the signature itself.
        let bytes: [UInt8]

        package init(name: KeyName, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// Includes its last newline.
    package let text: [UInt8]
    package let signatures: [Signature]

    init(checkedText text: [UInt8], signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    /// - Parameter text: UTF-8 without control characters that ends with a newline.
    package init(text: [UInt8], signatures: [Signature]) throws(LedgerError) {
        guard text.last == .newline, Self.isText(text) else { throw .note("the text is not lines of UTF-8") }
        self.init(checkedText: text, signatures: signatures)
    }

    /// Reads a note. Accepts only bytes that ``bytes`` writes.
    package init(_ bytes: [UInt8]) throws(LedgerError) {
        guard bytes.count <= Self.maximumLength else { throw .note("it is longer than \(Self.maximumLength) bytes") }
        guard bytes.last == .newline, Self.isText(bytes) else { throw .note("it is not lines of UTF-8") }
        guard let end = Self.endOfText(bytes) else { throw .note("no empty line comes before signatures") }
        var lines = LineReader(Array(bytes[(end + 1)...]))
        var signatures: [Signature] = []
        while let line = lines.next() {
            guard signatures.count < Self.maximumSignatures else {
                throw .note("it has more than \(Self.maximumSignatures) signatures")
            }
            signatures.append(try Self.signature(line))
        }
        guard !signatures.isEmpty else { throw .note("it has no signature") }
        self.init(checkedText: Array(bytes[..<end]), signatures: signatures)
    }

    package var bytes: [UInt8] {
        var bytes = text
        bytes.append(.newline)
        for signature in signatures {
            bytes.append(line: "\u{2014} \(signature.name) \(Base64.encode(signature.bytes))")
        }
        return bytes
    }

    /// Returns if exactly one signature has the name of `key`, and it is valid. Signatures with other names are
    /// ignored.
    package func verify(by key: VerifierKey) throws(LedgerError) {
        let id = key.idBytes
        let named = signatures.filter { $0.name == key.name }
        let own = named.filter { $0.bytes.starts(with: id) }
        guard !own.isEmpty else { throw .notSigned(by: key.name) }
        for signature in own {
            guard key.publicKey.verifies(signature.bytes.span.extracting(droppingFirst: id.count), of: text.span) else {
                throw .forged(key.name)
            }
        }
        guard named.count == 1 else { throw .note("it has more than one signature by the name \(key.name)") }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 || $0 == .newline } && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Where the last empty line begins: directly after the text.
    private static func endOfText(_ bytes: [UInt8]) -> Int? {
        var position = bytes.count - 1
        while position > 0 {
            if bytes[position] == .newline, bytes[position - 1] == .newline { return position }
            position -= 1
        }
        return nil
    }

    private static let dash = Array("\u{2014} ".utf8)

    private static func signature(_ line: ArraySlice<UInt8>) throws(LedgerError) -> Signature {
        guard line.starts(with: dash) else { throw .note("a signature begins with an em dash and a space") }
        let line = line.dropFirst(dash.count)
        guard let space = line.firstIndex(of: .space) else { throw .note("a signature has a name and Base64") }
        let name = try KeyName(line[..<space])
        let encoded = line[(space + 1)...]
        guard let bytes = Base64.decode(encoded.span), bytes.count > 4 else {
            throw .note("a signature is four bytes and more in Base64")
        }
        return Signature(name: name, bytes: bytes)
    }
}
