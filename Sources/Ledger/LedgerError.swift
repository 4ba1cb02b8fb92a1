/// Why a text or bytes are not the part of a ledger that they were taken for, or a signature is not the one asked for.
///
/// Every case can be shown to a stranger: none carries a byte of what was refused but names of keys.
package enum LedgerError: Error, Equatable, CustomStringConvertible {
    case keyName
    case verifierKey(String)
    case note(String)
    /// Nothing of the note was signed with this key.
    case notSigned(by: KeyName)
    /// A signature says to be of this key and does not hold: forged, or over another text.
    case forged(KeyName)
    case checkpoint(String)
    /// A checkpoint of another ledger than the key is for.
    case origin(expected: KeyName)
    case tilePath
    case bundle(String)
    case entryTooLong(limit: Int)
    case proof(String)

    package var description: String {
        switch self {
        case .keyName: "the name of a key must be 1 to 255 bytes without spaces, plus signs and control characters"
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
