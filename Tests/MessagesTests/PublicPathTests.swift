import Messages
import Testing

@Suite struct PublicPathTests {
    @Test("what stands behind a path is read as it was written, with or without a gateway's slash at its end")
    func rest() throws {
        let origin = try PublicOrigin("https://links.example.com:8443")
        for path in PublicPath.allCases {
            #expect(path.start(at: origin) == "https://links.example.com:8443" + path.rawValue)
            #expect(path.rest(of: path.rawValue + "TOKEN") == "TOKEN")
            #expect(path.rest(of: path.rawValue + "TOKEN/") == "TOKEN")
            #expect(path.rest(of: "//" + path.rawValue + "TOKEN") == "TOKEN")
            #expect(path.rest(of: path.rawValue + "TOKEN//") == "TOKEN/")
            #expect(path.rest(of: path.rawValue).isEmpty)
            for text in ["%E2%80%9D", "%c2%bb/x", "/%80", "”", "。/", "é"] {
                #expect(path.rest(of: path.rawValue + "TOKEN" + text) == "TOKEN")
            }
            for text in ["%7F", "%2F", "%8", "%8G", "."] {
                #expect(path.rest(of: path.rawValue + "TOKEN" + text) == "TOKEN" + text)
            }
            #expect(path.rest(of: path.rawValue + "TO%C1%8BEN") == "TO")
        }
    }

    @Test("no path is the beginning of another one")
    func prefixes() {
        for path in PublicPath.allCases {
            #expect(PublicPath.allCases.count { $0.rawValue.hasPrefix(path.rawValue) } == 1)
            #expect(path.rawValue.hasPrefix("/") && path.rawValue.hasSuffix("/"))
        }
    }
}
