import Cryptography

/// 38 bytes that were read from a path. Nothing of them is believed before a ``SealedNumberCipher`` has opened them.
struct SealedNumber {
    typealias Bytes = InlineArray<38, UInt8>

    let bytes: Bytes

    /// Says which kind of number it claims to be. No two kinds have the same, and none has that of a tracking ID.
    var version: UInt8 { bytes[SealedNumberFormat.versionOffset] }

    /// Of the key that it claims to be signed with.
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
