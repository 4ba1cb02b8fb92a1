import Messages
import TestSupport
import Testing

/// Texts put together from what URLs are made of and what breaks them.
@Suite struct TargetURLRandomTests {
    static let pieces: [String] = [
        "http", "https", "HTTPS", "myapp", "javascript", ":", ":", "://", "://", "//", "/", "\\", "?", "#", "@", "[",
        "]",
        "shop.example", "SHOP.EXAMPLE", "other.example", "links.example", ".", "..", "-", "_", "*", "%2e", "%",
        "%0d%0a",
        "\r\n", "\t", " ", "\0", "é", "。", "\u{200B}", "[::1]", "127.0.0.1", "127.1", "0x7f", "80", ":443", "65536",
        "<", "\"", "{", "|", "^", "`", "'", "&", "=", ";", "a", "Z", "0", "~", "+",
    ]

    @Test(
        "whatever is accepted is visible ASCII that breaks no header, and leads where it was allowed to",
        arguments: 0..<20 as Range<UInt64>
    )
    func accepted(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var acceptedCount = 0
        for _ in 0..<5000 {
            let isWebLike = Bool.random(using: &generator)
            var text = isWebLike ? "https://shop.example" : ""
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
            }
            guard let target = try? TargetURLTests.target(text, hosts: TargetURLTests.shopOnly) else { continue }
            acceptedCount += 1
            #expect(target.text.utf8.elementsEqual(text.utf8))
            #expect((1...2048).contains(target.text.utf8.count))
            #expect(target.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
            #expect(try TargetURL(stored: target.text) == target)
            guard let host = target.host else { continue }
            #expect(host.text == "shop.example" || host.text.hasSuffix(".shop.example"))
            let authority = "https://".count..<text.count
            let rest = text.dropFirst(authority.lowerBound).prefix { !"/?#".contains($0) }
            #expect(rest.lowercased().hasPrefix(host.text) && !rest.contains("@") && !rest.contains("%"))
        }
        #expect(acceptedCount > 100)
    }

    @Test("random bytes never crash the reader")
    func noise() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? TargetURL(stored: text)
            _ = try? TargetURL(stored: "https://" + text)
            _ = try? TargetURL(stored: "https://[" + text)
            _ = try? TargetHostPattern(text)
            _ = try? PublicOrigin("http://" + text)
        }
    }
}
