import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

@testable import TrackingIDs

/// The links of consent requests: each opens as what it was sealed as, altered in any way it opens as nothing, and it is
/// never taken for a link of another kind.
@Suite struct ConsentRequestLinkTests {
    let ring = KeyRing.sample()
    var codec: ConsentRequestLinkCodec { ConsentRequestLinkCodec(keyRing: ring) }

    private func link(_ step: ConsentRequestStep = .question) throws -> ConsentRequestLink {
        ConsentRequestLink(
            request: try #require(ConsentRequestID(rawValue: 0x33b2_e7a1_c04f_1d2a)), step: step,
            expiry: LinkExpiry(secondsSince1970: 1_811_030_400))
    }

    @Test(
        "what was sealed opens as itself, in 51 characters that are the same each time",
        arguments: [
            ConsentRequestStep.question, .confirmation,
        ])
    func roundTrip(_ step: ConsentRequestStep) throws {
        let text = try codec.seal(link(step))
        #expect(text.utf8.count == 51)
        #expect(try codec.open(text) == .opened(link(step)))
        #expect(try codec.seal(link(step)) == text)
    }

    @Test("the two links of a request share nothing that can be read but key and expiry")
    func kindsDiffer() throws {
        let question = try Base64URL.decode(codec.seal(link(.question)))
        let confirmation = try Base64URL.decode(codec.seal(link(.confirmation)))
        #expect(question[0] == 129)
        #expect(confirmation[0] == 130)
        #expect(question[6..<22] != confirmation[6..<22])
    }

    @Test("a flipped bit is refused", arguments: 0..<304)
    func flippedBit(_ bit: Int) throws {
        for step in ConsentRequestStep.allCases {
            var bytes = try Base64URL.decode(codec.seal(link(step)))
            bytes[bit / 8] ^= 0x80 >> (bit % 8)
            let reason: TrackingIDRefusal =
                switch bit / 8 {
                // The two kinds differ by two bits of the first byte.
                case 0: .version
                case 1: .unknownKey
                default: .tag
                }
            #expect(try codec.open(Base64URL.encode(bytes)) == .refused(reason))
        }
    }

    @Test("the link of one page with the first byte of the other is refused")
    func otherKind() throws {
        var bytes = try Base64URL.decode(codec.seal(link(.question)))
        bytes[0] = 130
        #expect(try codec.open(Base64URL.encode(bytes)) == .refused(.tag))
    }

    @Test("a cut text, an extended one and an empty one are refused", arguments: Array(0..<51) + [52, 54, 102])
    func otherLength(_ length: Int) throws {
        let text = try codec.seal(link())
        #expect(try codec.open(String((text + text).prefix(length))) == .refused(.length))
    }

    @Test("no other spelling of the same bytes opens")
    func otherSpellings() throws {
        let text = try codec.seal(link())
        #expect(try codec.open(text.dropLast() + "%") == .refused(.alphabet))
        #expect(try codec.open(text.dropLast() + "=") == .refused(.alphabet))
        let last = try #require(Base64URLAlphabet.successor(of: text))
        #expect(try codec.open(last) == .refused(.trailingBits))
    }

    @Test("a zeroed or filled field is refused", arguments: [0..<1, 1..<2, 2..<6, 6..<22, 22..<38, 0..<38])
    func overwrittenField(_ field: Range<Int>) throws {
        for value: UInt8 in [0, 0xFF] {
            var bytes = try Base64URL.decode(codec.seal(link()))
            bytes.replaceSubrange(field, with: repeatElement(value, count: field.count))
            #expect(try codec.open(Base64URL.encode(bytes)).link == nil)
        }
    }

    @Test("another deployment's link is refused, and one of a retired key")
    func otherKeys() throws {
        let foreign = try ConsentRequestLinkCodec(keyRing: .sample(seed: 2)).seal(link())
        #expect(try codec.open(foreign) == .refused(.tag))
        let rotated = try ring.rotatedForTest(seed: 2)
        let old = try codec.seal(link())
        #expect(try ConsentRequestLinkCodec(keyRing: rotated).open(old) == .opened(link()))
        #expect(try ConsentRequestLinkCodec(keyRing: rotated.retiring(1)).open(old) == .refused(.unknownKey))
    }

    @Test("no tracking ID opens as a request's link, and no link as a tracking ID, whatever is cut or filled")
    func trackingIDs() throws {
        let id = try TrackingIDSealer(keyRing: ring).seal(TrackingID.sample())
        #expect(try codec.open(id) == .refused(.length))
        #expect(try codec.open(id.prefix(51)).link == nil)
        let opener = try TrackingIDOpener(keyRing: ring)
        for step in ConsentRequestStep.allCases {
            let text = try codec.seal(link(step))
            #expect(opener.open(text) == .refused(.length))
            #expect(opener.open(text + "AAA") == .refused(.version))
            let bytes = try Base64URL.decode(text)
            let filled = bytes + [0, 0]
            #expect(opener.open(bytes: filled.span).trackingID == nil)
        }
    }

    @Test("a block that names no request is refused though it is signed")
    func content() throws {
        for (number, filling) in [(UInt64(0), UInt8(0)), (1 << 63, 0), (7, 1)] {
            let key = ring.signingKey
            let derived = try ConsentRequestLinkKey(derivedFrom: key.secret, for: .question)
            var block = AES256Block.Block(repeating: 0)
            for index in 0..<8 { block[index] = UInt8(truncatingIfNeeded: number >> (8 * (7 - index))) }
            block[15] = filling
            let subject = try AES256Block(key: derived.sealing).encrypt(block)
            let signed = [129, key.id, 0, 0, 0, 1] + (0..<16).map { subject[$0] }
            let tag = try HMACSHA256(key: derived.signing).tag(of: signed.span)
            let text = Base64URL.encode(signed + (0..<16).map { tag[$0] })
            #expect(try codec.open(text) == .refused(.content))
        }
    }

    @Test("links are what the specification says, and a program that shares no code with it")
    func vectors() throws {
        let vectors = try RequestLinkVectors()
        let key = KeyRing.Key(
            id: vectors.keyID, secret: SecretBytes(try Hexadecimal.decode(vectors.root)), createdAt: .sample)
        let codec = ConsentRequestLinkCodec(keyRing: try KeyRing(keys: [key]))
        #expect(vectors.sealed.count == 6)
        for vector in vectors.sealed {
            let link = ConsentRequestLink(
                request: try #require(UInt64(vector.request, radix: 16).flatMap { ConsentRequestID(rawValue: $0) }),
                step: vector.step == "question" ? .question : .confirmation,
                expiry: LinkExpiry(secondsSince1970: vector.expires))
            #expect(try codec.seal(link) == vector.token)
            #expect(try codec.open(vector.token) == .opened(link))
        }
    }

    @Test("random texts do not open")
    func randomTexts() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...60, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try codec.open(Base64URL.encode(bytes)).link == nil)
            #expect(try codec.open(String(decoding: bytes, as: UTF8.self)).link == nil)
        }
    }
}

/// The last character of a link carries four bits; the next character differs in those that must be zero.
private enum Base64URLAlphabet {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static func successor(of text: String) -> String? {
        guard let last = text.last, let place = characters.firstIndex(of: last) else { return nil }
        return text.dropLast() + String(characters[place + 1])
    }
}

/// `RequestLinkVectors/consent-request-link-v1.json`. Numbers of 64 bits are hexadecimal there.
private struct RequestLinkVectors: Decodable {
    struct Sealed: Decodable {
        let step: String
        let request: String
        let expires: UInt32
        let token: String
    }

    let root: String
    let keyID: UInt8
    let sealed: [Sealed]

    init() throws {
        let name = "RequestLinkVectors/consent-request-link-v1"
        let file = try #require(Bundle.module.url(forResource: name, withExtension: "json"))
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}
