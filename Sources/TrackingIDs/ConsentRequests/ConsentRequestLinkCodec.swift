package import Cryptography
import Identifiers

/// Seals and opens the links of consent requests.
///
/// The keys are derived for each link: people open few such pages compared with links, and a value without contexts can
/// be used on any thread.
package struct ConsentRequestLinkCodec: Sendable {
    private let keyRing: KeyRing

    package init(keyRing: KeyRing) { self.keyRing = keyRing }

    /// The 51 characters of a link, under the key that signs.
    package func seal(_ link: ConsentRequestLink) throws(CryptographyError) -> String {
        try cipher(for: link.step, under: keyRing.signingKey)
            .seal(link.request.rawValue, expiry: link.expiry.secondsSince1970)
    }

    /// Opens 51 characters from a path. No other spelling of the same bytes opens. It does not check whether the link
    /// has expired.
    package func open(_ text: some StringProtocol) throws(CryptographyError) -> ConsentRequestLinkOpening {
        let sealed: SealedNumber
        switch SealedNumber.read(text) {
        case .read(let read): sealed = read
        case .refused(let reason): return .refused(reason)
        }
        guard let step = ConsentRequestStep.allCases.first(where: { $0.version == sealed.version }) else {
            return .refused(.version)
        }
        guard let key = keyRing[sealed.keyID] else { return .refused(.unknownKey) }
        switch try cipher(for: step, under: key).open(sealed) {
        case .refused(let reason): return .refused(reason)
        case .opened(let number, let expiry):
            guard let request = ConsentRequestID(rawValue: number) else { return .refused(.content) }
            return .opened(
                ConsentRequestLink(request: request, step: step, expiry: LinkExpiry(secondsSince1970: expiry)))
        }
    }

    private func cipher(
        for step: ConsentRequestStep, under key: KeyRing.Key
    ) throws(CryptographyError) -> SealedNumberCipher {
        let derived = try ConsentRequestLinkKey(derivedFrom: key.secret, for: step)
        return try SealedNumberCipher(
            version: step.version, keyID: key.id, signing: derived.signing, sealing: derived.sealing)
    }
}

extension ConsentRequestStep {
    /// The first byte of the link. Versions of tracking IDs begin at 1, these at 129: neither opens as the other.
    var version: UInt8 {
        switch self {
        case .question: 129
        case .confirmation: 130
        }
    }
}
