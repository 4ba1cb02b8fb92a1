import Glibc
import NIOCore
import Testing

@testable import Service

/// What is wrong with an address is said by name, before anything starts.
@Suite struct ListenAddressBindTests {
    private func refusal(_ address: ListenAddress) -> String? {
        do {
            close(try address.bind("api-listen"))
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A listening socket on some port that is free.
    private func listening() throws -> (descriptor: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let port = try (42_000..<43_000).first { port in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            return address.withSockAddr { bind(descriptor, $0, socklen_t($1)) == 0 }
        }
        try #require(listen(descriptor, 1) == 0)
        return (descriptor, try #require(port))
    }

    @Test("an address that another program has is in use; once that ends it is free, and the check keeps nothing")
    func inUse() throws {
        let (descriptor, port) = try listening()
        let address = ListenAddress(host: "127.0.0.1", port: port)
        let text = try #require(refusal(address))
        #expect(text.hasPrefix("address in use: 127.0.0.1:\(port) (api-listen); "))
        close(descriptor)
        for _ in 1...2 { #expect(refusal(address) == nil) }
    }

    @Test("an address of another machine, and one that is none, say so")
    func otherAddresses() throws {
        // RFC 5737: of no machine.
        let other = try #require(refusal(ListenAddress(host: "192.0.2.1", port: 80)))
        #expect(other == "cannot listen on 192.0.2.1:80 (api-listen): \(String(cString: strerror(EADDRNOTAVAIL)))")
        let none = try #require(refusal(ListenAddress(host: "not a host", port: 80)))
        #expect(none == "no such host: not a host:80 (api-listen)")
    }
}
