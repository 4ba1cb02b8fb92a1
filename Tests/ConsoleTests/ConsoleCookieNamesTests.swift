import Testing

@testable import Console

@Suite struct ConsoleCookieNamesTests {
    private func all(_ authority: String?) -> [String] {
        let names = ConsoleCookieNames(authority: authority)
        return [names.session, names.holder, names.provider, names.casePrefix]
    }

    @Test(
        "consoles on two ports of one host have no cookie in common, whatever the host is",
        arguments: ["127.0.0.1", "localhost", "[::1]", "console.example.com"])
    func ports(_ host: String) {
        #expect(
            all("\(host):8082") == [
                "__Host-session-8082", "__Host-visitor-8082", "__Host-provider-8082", "__Host-case-8082-",
            ])
        #expect(Set(all(host) + all("\(host):8082") + all("\(host):443")).count == 12)
    }

    @Test(
        "without a port the names have none",
        arguments: [
            nil, "", "console.example.com", "127.0.0.1", "[::1]", "localhost:", "localhost:x", "localhost:65536",
        ])
    func noPort(_ authority: String?) {
        #expect(all(authority) == ["__Host-session", "__Host-visitor", "__Host-provider", "__Host-case-"])
    }
}
