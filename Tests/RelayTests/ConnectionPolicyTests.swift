import Synchronization
import Testing
import Webhooks

@testable import Relay

/// Which addresses a relay connects to.
@Suite struct ConnectionPolicyTests {
    /// Answers with one list after the other.
    private final class Resolver: NameResolver {
        private let answers: Mutex<[[NetworkAddress]]>
        private let asked = Atomic(0)

        init(_ answers: [[NetworkAddress]]) { self.answers = Mutex(answers) }

        var questions: Int { asked.load(ordering: .relaxed) }

        func addresses(of name: String) async -> [NetworkAddress]? {
            asked.add(1, ordering: .relaxed)
            return answers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        }
    }

    private static let good = NetworkAddress([93, 184, 216, 34])
    private static let loopback = NetworkAddress([127, 0, 0, 1])
    private static let mapped = NetworkAddress([UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1])
    private static let nat64 = NetworkAddress(
        [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + [127, 0, 0, 1])

    private func failure(
        _ url: String, allowing hosts: Set<String> = [], _ answers: [[NetworkAddress?]] = [],
        own: [NetworkAddress?] = []
    ) async throws -> DeliveryFailure? {
        let resolver = Resolver(answers.map { $0.compactMap(\.self) })
        let policy = ConnectionPolicy(allowedHosts: hosts, resolver: resolver) { Set(own.compactMap(\.self)) }
        let url = try EndpointURL(url)
        do throws(DeliveryFailure) {
            _ = try await policy.addresses(for: url)
            return nil
        } catch {
            return error
        }
    }

    @Test("a name is asked for once, and the addresses that were checked are those that are connected to")
    func rebinding() async throws {
        let resolver = Resolver([[try #require(Self.good)], [try #require(Self.loopback)]])
        let policy = ConnectionPolicy(allowedHosts: [], resolver: resolver)
        let addresses = try await policy.addresses(for: EndpointURL("https://crm.example/"))
        #expect(addresses == [Self.good].compactMap(\.self))
        #expect(resolver.questions == 1)
    }

    @Test("if one address of a name is not global, none is used")
    func mixed() async throws {
        for bad in [Self.loopback, Self.mapped, Self.nat64] {
            #expect(try await failure("https://crm.example/", [[Self.good, bad]]) == .addressNotAllowed)
            #expect(try await failure("https://crm.example/", [[bad, Self.good]]) == .addressNotAllowed)
        }
        #expect(try await failure("https://crm.example/", [[Self.good, Self.good]]) == nil)
        #expect(try await failure("https://crm.example/", [[]]) == .noAddress)
    }

    @Test(
        "addresses in a URL are held to the same, and are not resolved",
        arguments: [
            "https://127.0.0.1/", "https://10.1.2.3/", "https://169.254.169.254/latest/meta-data", "https://[::1]/",
            "https://[::ffff:7f00:1]/", "https://[64:ff9b::7f00:1]/", "https://[fd00::1]/", "https://[fe80::1]/",
            "https://100.64.0.1/", "https://0.0.0.0/", "https://[::]/", "https://[2002:7f00:1::]/",
            "https://[64:ff9b:1::7f00:1]/", "https://[::7f00:1]/",
        ])
    func literals(_ url: String) async throws {
        #expect(try await failure(url, [[Self.good]]) == .addressNotAllowed)
        #expect(try await failure("https://93.184.216.34/") == nil)
        #expect(try await failure("https://[2606:2800:220:1::1]/") == nil)
    }

    @Test("the families come in turn, beginning with the first address, and keep their own order")
    func familiesInTurn() async throws {
        let v4 = (1...4).compactMap { NetworkAddress([93, 184, 216, $0]) }
        let v6 = (1...4).compactMap { NetworkAddress(literal: "[2606:2800:220:1::\($0)]") }
        for (found, order) in [
            (v6 + v4, [v6[0], v4[0], v6[1], v4[1], v6[2], v4[2], v6[3], v4[3]]),
            (v4 + v6.prefix(1), [v4[0], v6[0], v4[1], v4[2], v4[3]]),
            ([v6[0], v4[0], v4[1], v6[1]], [v6[0], v4[0], v6[1], v4[1]]), (v4, v4), (v6, v6),
        ] {
            let policy = ConnectionPolicy(allowedHosts: [], resolver: Resolver([found])) { [] }
            #expect(try await policy.addresses(for: EndpointURL("https://crm.example/")) == order)
        }
    }

    @Test("an address of this machine is refused like its loopback, by name and by number, however global it is")
    func ownAddresses() async throws {
        let other = NetworkAddress([93, 184, 216, 35])
        let v6 = NetworkAddress(literal: "[2606:2800:220:1::1]")
        #expect(try await failure("https://crm.example/", [[Self.good]], own: [Self.good]) == .addressNotAllowed)
        #expect(try await failure("https://crm.example/", [[other, v6]], own: [v6]) == .addressNotAllowed)
        #expect(try await failure("https://93.184.216.34/", own: [Self.good]) == .addressNotAllowed)
        #expect(try await failure("https://[2606:2800:220:1::1]/", own: [v6]) == .addressNotAllowed)
        #expect(try await failure("https://crm.example/", [[other]], own: [Self.good, v6]) == nil)
        let hosts: Set = ["crm.example"]
        #expect(try await failure("https://crm.example/", allowing: hosts, [[Self.good]], own: [Self.good]) == nil)
    }

    @Test("nothing is connected to while the system does not tell this machine's addresses")
    func unknownOwnAddresses() async throws {
        let resolver = Resolver([[try #require(Self.good)], [try #require(Self.loopback)]])
        let policy = ConnectionPolicy(allowedHosts: [], resolver: resolver) { nil }
        #expect(try await policy.addresses(for: EndpointURL("https://crm.example/")) == nil)
        // What is refused in any case is refused then, too.
        await #expect(throws: DeliveryFailure.addressNotAllowed) {
            try await policy.addresses(for: EndpointURL("https://crm.example/"))
        }
    }

    @Test("the addresses of this machine contain those of its loopback")
    func interfaces() throws {
        let own = try #require(InterfaceAddresses.current())
        #expect(own.contains(try #require(Self.loopback)))
        #expect(!own.contains(try #require(Self.good)))
    }

    @Test("http needs the operator's word for the host, by its exact name, which covers its addresses too")
    func allowed() async throws {
        #expect(try await failure("http://crm.example/", [[Self.good]]) == .notSecure)
        #expect(try await failure("http://127.0.0.1:8000/") == .notSecure)
        let hosts: Set = ["crm.example", "127.0.0.1", "[::1]"]
        #expect(try await failure("http://crm.example/", allowing: hosts, [[Self.loopback]]) == nil)
        #expect(try await failure("http://127.0.0.1:8000/", allowing: hosts) == nil)
        #expect(try await failure("https://[::1]/", allowing: hosts) == nil)
        #expect(try await failure("http://a.crm.example/", allowing: hosts, [[Self.good]]) == .notSecure)
        #expect(try await failure("https://127.0.0.2/", allowing: hosts) == .addressNotAllowed)
    }
}
