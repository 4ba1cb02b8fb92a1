import Testing

@testable import Service

struct ListenAddressTests {
    @Test(
        "host and port are told apart, IPv6 in brackets",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:0", "localhost", 0), ("[::1]:65535", "::1", 65535),
            ("links.example.com:443", "links.example.com", 443),
        ])
    func wellFormed(text: String, host: String, port: Int) {
        #expect(ListenAddress(text) == ListenAddress(host: host, port: port))
        #expect(ListenAddress(text)?.description == text)
    }

    @Test("every address has one name more")
    func everyAddress() { #expect(ListenAddress("*:80") == ListenAddress(host: "0.0.0.0", port: 80)) }

    @Test(
        "anything else is no address",
        arguments: ["", ":", "host", "host:", ":1", "::1:80", "host:-1", "host:70000", "host:+1", "host:01", "ho st:1"])
    func malformed(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
