/// Why a text or bytes are not the expected part of a ledger, or why a signature is not the expected one.
///
/// Every case can be shown to a stranger: it carries no bytes of the refused input except names of keys.
package enum LedgerError: Error, Equatable, CustomStringConvertible {
    case keyName
    case verifierKey(String)
    case note(String)
    /// The note has no signature by this key.
    case notSigned(by: KeyName)
    /// A signature claims to be by this key and is not valid: it is forged, or is for another text.
    case forged(KeyName)
    case checkpoint(String)
    /// A checkpoint of a ledger other than the key's.
    case origin(expected: KeyName)
    case tilePath
    case bundle(String)
    case entryTooLong(limit: Int)
    case proof(String)

    package var description: String {
        switch self {
        case .keyName:
            """
            the name of a key must be 1 to \(KeyName.maximumLength) bytes without spaces, plus signs and control \
            characters
            """
        case .verifierKey(let fault): "not a verifier key (name+id+key): \(fault)"
        case .note(let fault): "not a signed note: \(fault)"
        case .notSigned(let key): "the note is not signed by \(key)"
        case .forged(let key): "the signature of \(key) does not hold"
        case .checkpoint(let fault): "not a checkpoint: \(fault)"
        case .origin(let expected): "the checkpoint is not one of \(expected)"
        case .tilePath: "not the path of a tile or of an entry bundle"
        case .bundle(let fault): "not an entry bundle: \(fault)"
        case .entryTooLong(let limit): "an entry must not be longer than \(limit) bytes"
        case .proof(let fault): "not a proof: \(fault)"
        }
    }
}
