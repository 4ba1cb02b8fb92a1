import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

@Suite struct TrackingIDTests {
    @Test("what was sealed is opened, as 54 unreserved characters or 40 bytes")
    func roundTrip() throws {
        let id = try TrackingID.sample()
        let ring = KeyRing.sample()
        let token = try TrackingIDSealer(keyRing: ring).seal(id)
        #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{54}/) != nil)
        #expect(try TrackingIDOpener(keyRing: ring).open(token) == .opened(id, keyID: 1))
        #expect(try Forgery(of: id, sealedBy: ring).opening(with: ring) == .opened(id, keyID: 1))
    }

    @Test(
        "the ends of every field's range come back",
        arguments: [UInt64(1), UInt64(Int64.max)],
        [(UInt64(1), UInt16(0), UInt32(0)), (.max, .max, .max)]
    )
    func ranges(_ message: UInt64, _ rest: (recipient: UInt64, link: UInt16, expires: UInt32)) throws {
        let id = try TrackingID.sample(
            message: message,
            recipient: rest.recipient,
            link: rest.link,
            expires: rest.expires
        )
        let ring = KeyRing.sample()
        #expect(try Forgery(of: id, sealedBy: ring).opening(with: ring) == .opened(id, keyID: 1))
    }

    @Test("every way of writing a token writes the same, after what was there")
    func waysOfSealing() throws {
        let id = try TrackingID.sample()
        let sealer = try TrackingIDSealer(keyRing: .sample())
        let token = sealer.seal(id)
        var appended = Array("/r/".utf8)
        sealer.seal(id, appendingTo: &appended)
        sealer.seal(id, appendingTo: &appended)
        var placed = [UInt8](repeating: 0, count: 54)
        var place = placed.mutableSpan
        sealer.seal(id, into: &place)
        #expect(String(decoding: appended, as: UTF8.self) == "/r/" + token + token)
        #expect(placed == Array(token.utf8))
    }

    @Test("every way of reading a token reads the same")
    func waysOfOpening() throws {
        let id = try TrackingID.sample()
        let opener = try TrackingIDOpener(keyRing: .sample())
        let token = Array(try TrackingIDSealer(keyRing: .sample()).seal(id).utf8)
        let span = opener.open(token.span)
        let text = opener.open(String(decoding: token, as: UTF8.self))
        #expect([span, text].allSatisfy { $0.trackingID == id })
    }

    @Test("10,000 tokens of a rotating ring come back, and no two are the same")
    func property() throws {
        var generator = SeededGenerator(seed: 2)
        var ring = KeyRing.sample()
        var tokens: Set<String> = []
        for round in UInt64(0)..<10 {
            let sealer = try TrackingIDSealer(keyRing: ring)
            let opener = try TrackingIDOpener(keyRing: ring)
            for _ in 0..<1000 {
                let id = try TrackingID.random(using: &generator)
                let token = sealer.seal(id)
                tokens.insert(token)
                #expect(opener.open(token) == .opened(id, keyID: ring.signingKey.id))
            }
            ring = try ring.rotatedForTest(seed: 100 + round)
        }
        #expect(tokens.count == 10_000)
        let last = try TrackingIDOpener(keyRing: ring)
        #expect(tokens.allSatisfy { last.open($0).trackingID != nil })
    }

    @Test("10,000 random texts of the right length do not open")
    func noise() throws {
        var generator = SeededGenerator(seed: 3)
        let opener = try TrackingIDOpener(keyRing: .sample())
        for _ in 0..<10_000 {
            var bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
            bytes[0] = 1
            bytes[1] = 1
            #expect(opener.open(Base64URL.encode(bytes)) == .refused(.tag))
        }
    }
}
