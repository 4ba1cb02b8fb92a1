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
