import Glibc
import Testing

@testable import Service

/// Whether a socket that was open before is where the settings say.
@Suite struct BoundAddressTests {
    private static let anyPort = ListenAddress(host: "127.0.0.1", port: 0)

    @Test("a socket says where it is bound, and one of another kind says nothing")
    func bound() throws {
        let socket = try ListeningSocket(Self.anyPort, setting: "listen")
        #expect(socket.bound?.host == "127.0.0.1")
        #expect(socket.bound?.port ?? 0 > 0)
        socket.close()
        #expect(socket.bound == nil)
        let local = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #expect(ListenAddress(bound: local) == nil)
        close(local)
    }

    @Test("of two sockets that are bound to one address, the second to listen is told that the address is in use")
    func boundTwice() throws {
        let first = try ListeningSocket(Self.anyPort, setting: "listen")
        let address = try #require(first.bound)
        let second = try ListeningSocket(address, setting: "api-listen")
        close(try #require(try first.listen()))
        for attempt in [{ try second.take() }, { _ = try second.listen() }] {
            let refusal = #expect(throws: ListenError.self) { try attempt() }
            #expect(refusal?.description.hasPrefix("address in use: \(address) (api-listen); ") == true)
        }
    }

    @Test(
        "names are resolved, port 0 takes every port, and a socket for both families takes IPv4",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1:80", false, true), ("127.0.0.1:80", "127.0.0.1:81", false, false),
            ("127.0.0.1:0", "127.0.0.1:81", false, true), ("127.0.0.2:80", "127.0.0.1:80", false, false),
            ("localhost:80", "127.0.0.1:80", false, true), ("[::1]:80", "[::1]:80", false, true),
            ("[0:0:0:0:0:0:0:1]:80", "[::1]:80", false, true), ("0.0.0.0:80", "0.0.0.0:80", false, true),
            ("0.0.0.0:80", "127.0.0.1:80", false, false), ("127.0.0.1:80", "0.0.0.0:80", false, false),
            ("0.0.0.0:80", "[::]:80", true, true), ("0.0.0.0:80", "[::]:80", false, false),
            ("127.0.0.1:80", "[::]:80", true, false), ("[::]:80", "0.0.0.0:80", true, false),
            ("[::ffff:127.0.0.1]:80", "127.0.0.1:80", false, true),
        ])
    func met(_ setting: String, _ bound: String, _ isDual: Bool, _ isMet: Bool) throws {
        let bound = try #require(ListenAddress(bound))
        #expect(try #require(ListenAddress(setting)).isMet(by: bound, isDual: isDual) == isMet)
    }

    @Test("a socket of the program's own that is somewhere else is let go of; a service manager's is refused")
    func elsewhere() throws {
        let socket = try ListeningSocket(Self.anyPort, setting: "listen")
        let bound = try #require(socket.bound)
        let other = ListenAddress(host: "127.0.0.2", port: bound.port)
        #expect(try socket.meets(bound, setting: "listen"))
        #expect(try !socket.meets(other, setting: "listen"))
        #expect(try !socket.meets(nil, setting: "console-listen"))

        let passed = ListeningSocket(inherited: dup(try #require(socket.handOver())), isPassed: true)
        #expect(try passed.meets(bound, setting: "listen"))
        let refusal = #expect(throws: PassedSocketError.self) { try passed.meets(other, setting: "listen") }
        let text = refusal?.description ?? ""
        #expect(text.hasPrefix("listen is \(other)") && text.contains(" is at \(bound):"))
        let off = #expect(throws: PassedSocketError.self) { try passed.meets(nil, setting: "console-listen") }
        #expect(off?.description.hasPrefix("console-listen is off") == true)
    }

    @Test("a service manager's sockets are known as such, also after the program was started again")
    func passed() {
        let manager = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:private"]
        let own = [InheritedSockets.variable: "public=3"]
        #expect(InheritedSockets.passed(in: manager, process: 7) == 3..<5)
        #expect(InheritedSockets.passed(in: manager.merging(own) { $1 }, process: 7) == 3..<5)
        #expect(InheritedSockets.passed(in: own, process: 7).isEmpty)
        #expect(InheritedSockets.passed(in: manager, process: 8).isEmpty)
    }
}
