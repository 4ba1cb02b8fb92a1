import Cryptography
import TrackingIDs

extension KeyFingerprint {
    /// Reads ``text``.
    init(text: String) throws(CryptographyError) {
        guard let fingerprint = KeyFingerprint(try Base64URL.decode(text)) else { throw .base64URL(.length) }
        self = fingerprint
    }

    /// The fingerprint in base64url, as the files of the data folder have it.
    var text: String { Base64URL.encode(bytes) }
}
