import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import Webhooks

@testable import Relay

/// One delivery to a name with several addresses, of which some lead nowhere.
@Suite struct AddressAttemptsTests {
    private struct Fixed: NameResolver {
        let lastBytes: [UInt8]

        func addresses(of name: String) async -> [NetworkAddress]? {
            lastBytes.compactMap { NetworkAddress([127, 0, 0, $0]) }
        }
    }

    /// A listener whose queue is full: the system drops whatever asks for a connection, as a black hole does.
    private final class FullListener {
        private var sockets: [CInt] = []

        init(lastByte: UInt8, port: Int) throws {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = in_port_t(port).bigEndian
            place.sin_addr.s_addr = (UInt32(127) << 24 | UInt32(lastByte)).bigEndian
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            sockets.append(listener)
            try #require(Self.with(place) { Glibc.bind(listener, $0, $1) } == 0)
            try #require(Glibc.listen(listener, 0) == 0)
            for _ in 0..<3 {
                let waiting = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                sockets.append(waiting)
                _ = Self.with(place) { Glibc.connect(waiting, $0, $1) }
            }
        }

        private static func with(
            _ place: sockaddr_in, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
        ) -> CInt {
            withUnsafePointer(to: place) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        deinit { for socket in sockets { close(socket) } }
    }

    private func send(to url: String, at lastBytes: [UInt8]) async throws -> SendingResult {
        let client = DeliveryClient(
            ConnectionPolicy(allowedHosts: ["crm.test"], resolver: Fixed(lastBytes: lastBytes)),
            tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton, timeout: .seconds(4))
        let request = SignedRequest(
            url: try EndpointURL(url), webhookID: "msg_1", timestamp: 12, signatures: "v1,abc",
            contentType: "application/json", body: Array("{}".utf8))
        let lease = RelayedLease(token: "AAAA", endpoint: "one", end: .now + .seconds(60))
        return await client.send(RelayedDelivery(lease: lease, request: request, renderedSince: .now)) { $0 }
    }

    @Test("addresses that take no connection leave time for the one that does", arguments: [[2, 1], [2, 3, 1]])
    func blackHoles(_ lastBytes: [UInt8]) async throws {
        let server = try await ScriptedServer(
            ["HTTP/1.1 204 No Content\r\n\r\n"], pause: .milliseconds(1), closes: true)
        let holes = try [2, 3].map { try FullListener(lastByte: $0, port: server.port) }
        let result = try await send(to: "http://crm.test:\(server.port)/", at: lastBytes)
        #expect(result == .ended(.answered(status: 204, retryAfter: nil)))
        withExtendedLifetime(holes) {}
        try await server.close()
    }

    @Test("an address whose handshake of TLS does not end is given up for the next one, and the last one is not")
    func silentHandshake() async throws {
        let server = try await ScriptedServer([], pause: .zero, closes: false)
        let url = "https://crm.test:\(server.port)/"
        // Nothing listens at the second one.
        #expect(try await send(to: url, at: [1, 4]) == .ended(.failed(.cannotConnect)))
        #expect(try await send(to: url, at: [4, 1]) == .ended(.failed(.timedOut)))
        try await server.close()
    }

    @Test("a delivery that was sent is not sent to another address as well")
    func sentOnce() async throws {
        let server = try await ScriptedServer([], pause: .zero, closes: false)
        let result = try await send(to: "http://crm.test:\(server.port)/", at: [1, 4])
        #expect(result == .ended(.failed(.timedOut)))
        try await server.close()
    }
}
