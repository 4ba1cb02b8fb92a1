import Dispatch
import Synchronization
import Testing
import Webhooks

@testable import Relay

/// Looking names up, beside a name server that never answers.
@Suite struct SystemResolverTests {
    private static let address = NetworkAddress([93, 184, 216, 34])

    @Test("a name whose lookup does not end has no address")
    func timeout() async throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let resolver = SystemResolver(timeout: .milliseconds(500)) { _ in
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
        let resolver = SystemResolver(timeout: .milliseconds(500)) { name in
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

    @Test("a name for which a thread is free is looked up")
    func free() async throws {
        let resolver = SystemResolver(timeout: .seconds(60)) { _ in [Self.address].compactMap(\.self) }
        #expect(await resolver.addresses(of: "good.example") == [Self.address].compactMap(\.self))
    }
}
