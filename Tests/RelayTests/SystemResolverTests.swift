import Dispatch
import Synchronization
import Testing
import Webhooks

@testable import Relay

/// Looking names up, beside a name server that never answers.
@Suite struct SystemResolverTests {
    private static let address = NetworkAddress([93, 184, 216, 34])

    private static func resolver(
        _ organization: String = "acme", threads: LookUpThreads = LookUpThreads(), timeout: Duration,
        _ lookUp: @escaping @Sendable (String) -> [NetworkAddress]?
    ) -> SystemResolver {
        SystemResolver(organization: organization, threads: threads, timeout: timeout, lookUp: lookUp)
    }

    @Test("a name whose lookup does not end has no address")
    func timeout() async throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let resolver = Self.resolver(timeout: .milliseconds(500)) { _ in
            end.wait()
            return [Self.address].compactMap(\.self)
        }
        #expect(await resolver.addresses(of: "slow.example") == [])
    }

    @Test("the wait for a thread counts, and a name that got none is not looked up and says nothing")
    func waiting() async throws {
        let ends = DispatchSemaphore(value: 0)
        defer { for _ in 0..<4 { ends.signal() } }
        let looked = Mutex<[String]>([])
        let resolver = Self.resolver(timeout: .milliseconds(500)) { name in
            looked.withLock { $0.append(name) }
            if name == "slow.example" { ends.wait() }
            return [Self.address].compactMap(\.self)
        }
        await withTaskGroup(of: [NetworkAddress]?.self) { group in
            for _ in 0..<4 { group.addTask { await resolver.addresses(of: "slow.example") } }
            for await found in group { #expect(found == []) }
        }
        // All threads are still at the slow name.
        #expect(looked.withLock(\.count) == 4)
        #expect(await resolver.addresses(of: "good.example") == nil)
        #expect(!looked.withLock { $0.contains("good.example") })
    }

    @Test("a look-up that the relay cannot make says nothing about the name")
    func shortage() async throws {
        let resolver = Self.resolver(timeout: .seconds(60)) { _ in nil }
        #expect(await resolver.addresses(of: "good.example") == nil)
    }

    @Test("a name for which a thread is free is looked up")
    func free() async throws {
        let resolver = Self.resolver(timeout: .seconds(60)) { _ in [Self.address].compactMap(\.self) }
        #expect(await resolver.addresses(of: "good.example") == [Self.address].compactMap(\.self))
    }

    @Test("organizations share the threads, no thread runs without a look-up, and each organization has few at once")
    func shared() async throws {
        let ends = DispatchSemaphore(value: 0)
        defer { for _ in 0..<9 { ends.signal() } }
        let threads = LookUpThreads(limit: 5, limitOfOrganization: 4)
        let looked = Mutex<[String]>([])
        func resolver(_ organization: String) -> SystemResolver {
            Self.resolver(organization, threads: threads, timeout: .milliseconds(500)) { name in
                looked.withLock { $0.append(name) }
                if name == "slow.example" { ends.wait() }
                return [Self.address].compactMap(\.self)
            }
        }
        let many = (0..<500).map { resolver("organization-\($0)") }
        #expect(threads.count == 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<9 { group.addTask { _ = await many[0].addresses(of: "slow.example") } }
        }
        #expect(looked.withLock(\.count) == 4 && threads.count == 4)
        for resolver in many.suffix(3) {
            #expect(await resolver.addresses(of: "good.example") == [Self.address].compactMap(\.self))
        }
        #expect(threads.count <= 5)
        // The last thread is taken: a name that gets none says nothing about its endpoint.
        _ = await many[1].addresses(of: "slow.example")
        #expect(await many[2].addresses(of: "good.example") == nil)
    }
}
