package import Cryptography
import Identifiers

/// Seals and opens the links of consent requests.
///
/// The keys are derived for each link: pages that people open are few beside the links that they follow, and a value
/// without contexts may be used by any thread.
package struct ConsentRequestLinkCodec: Sendable {
    private typealias Sealed = InlineArray<38, UInt8>

    private let keyRing: KeyRing

    package init(keyRing: KeyRing) { self.keyRing = keyRing }

    /// The 51 characters of a link, under the key that signs.
    package func seal(_ link: ConsentRequestLink) throws(CryptographyError) -> String {
        let key = keyRing.signingKey
        let derived = try ConsentRequestLinkKey(derivedFrom: key.secret, for: link.step)
        let sealing = try AES256Block(key: derived.sealing)
        let signing = try HMACSHA256(key: derived.signing)

        var block = AES256Block.Block(repeating: 0)
        var blockBytes = block.mutableSpan
        blockBytes.store(bigEndian: link.request.rawValue, at: ConsentRequestLinkFormat.requestOffset)
        let subject = sealing.encrypt(block)

        var sealed = Sealed(repeating: 0)
        var bytes = sealed.mutableSpan
        bytes[ConsentRequestLinkFormat.versionOffset] = link.step.version
        bytes[ConsentRequestLinkFormat.keyIDOffset] = key.id
        bytes.store(bigEndian: link.expiry.secondsSince1970, at: ConsentRequestLinkFormat.expiryOffset)
        for index in subject.indices {
            bytes[ConsentRequestLinkFormat.subject.lowerBound + index] = subject[index]
        }
        let tag = signing.tag(of: bytes.span.extracting(ConsentRequestLinkFormat.signed))
        for index in ConsentRequestLinkFormat.tag {
            bytes[index] = tag[index - ConsentRequestLinkFormat.tag.lowerBound]
        }
        return Base64URL.encode((0..<ConsentRequestLinkFormat.byteCount).map { sealed[$0] })
    }

    /// Opens 51 characters as they stand in a path. No other spelling of the same bytes is opened. Whether the link's time
    /// has passed is not looked at.
    package func open(_ text: some StringProtocol) throws(CryptographyError) -> ConsentRequestLinkOpening {
        var sealed = Sealed(repeating: 0)
        var output = sealed.mutableSpan
        if let fault = Base64URL.decode(Array(text.utf8).span, into: &output) {
            return .refused(ConsentRequestLinkRefusal(fault))
        }
        let bytes = sealed.span
        let version = bytes[ConsentRequestLinkFormat.versionOffset]
        guard let step = ConsentRequestStep.allCases.first(where: { $0.version == version }) else {
            return .refused(.version)
        }
        guard let key = keyRing[bytes[ConsentRequestLinkFormat.keyIDOffset]] else { return .refused(.unknownKey) }
        let derived = try ConsentRequestLinkKey(derivedFrom: key.secret, for: step)
        let signing = try HMACSHA256(key: derived.signing)
        let computed = signing.tag(of: bytes.extracting(ConsentRequestLinkFormat.signed))
        let tag = bytes.extracting(ConsentRequestLinkFormat.tag)
        // Nothing is decrypted that was not signed.
        guard constantTimeEqual(tag, computed.span.extracting(0..<tag.count)) else { return .refused(.tag) }

        let sealing = try AES256Block(key: derived.sealing)
        var subject = AES256Block.Block(repeating: 0)
        for index in subject.indices { subject[index] = bytes[ConsentRequestLinkFormat.subject.lowerBound + index] }
        let block = sealing.decrypt(subject)
        guard ConsentRequestLinkFormat.zero.allSatisfy({ block[$0] == 0 }),
            let request = ConsentRequestID(
                rawValue: block.span.bigEndian(at: ConsentRequestLinkFormat.requestOffset))
        else { return .refused(.content) }
        let expiry = LinkExpiry(secondsSince1970: bytes.bigEndian(at: ConsentRequestLinkFormat.expiryOffset))
        return .opened(ConsentRequestLink(request: request, step: step, expiry: expiry))
    }
}
