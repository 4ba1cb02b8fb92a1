import Cryptography

/// 38 bytes from a path. None of them may be trusted before a ``SealedNumberCipher`` has opened them.
struct SealedNumber {
    typealias Bytes = InlineArray<38, UInt8>

    let bytes: Bytes

    /// The kind of number that it claims to be. Kinds have different versions, and none has the version of a tracking
    /// ID.
    var version: UInt8 { bytes[SealedNumberFormat.versionOffset] }

    /// The id of the key that it claims to be signed with.
    var keyID: UInt8 { bytes[SealedNumberFormat.keyIDOffset] }

    /// Reads 51 characters. No other spelling of the same bytes is read.
    static func read(_ text: some StringProtocol) -> Reading {
        var bytes = Bytes(repeating: 0)
        var output = bytes.mutableSpan
        if let fault = Base64URL.decode(Array(text.utf8).span, into: &output) {
            return .refused(TrackingIDRefusal(fault))
        }
        return .read(SealedNumber(bytes: bytes))
    }

    enum Reading {
        case read(SealedNumber)
        case refused(TrackingIDRefusal)
    }
}
