import Dispatch
import Synchronization
import Testing
import Webhooks

@testable import Relay

/// Looking names up, beside a name server that never answers.
@Suite struct SystemResolverTests {
    private static let address = NetworkAddress([93, 184, 216, 34])

    @Test("a name whose lookup does not end has no address")
    func patience() async throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let resolver = SystemResolver(patience: .milliseconds(1)) { _ in
            end.wait()
            return [Self.address].compactMap(\.self)
        }
        #expect(await resolver.addresses(of: "slow.example").isEmpty)
    }

    @Test("the wait for a thread does not count: names behind slow ones are looked up as long as others")
    func waiting() async throws {
        let ends = DispatchSemaphore(value: 0)
        let begun = Atomic(0)
        let resolver = SystemResolver(patience: .milliseconds(50)) { name in
            begun.add(1, ordering: .relaxed)
            if name == "slow.example" { ends.wait() }
            return [Self.address].compactMap(\.self)
        }
        await withTaskGroup(of: [NetworkAddress].self) { group in
            for _ in 0..<4 { group.addTask { await resolver.addresses(of: "slow.example") } }
            for await found in group { #expect(found.isEmpty) }
        }
        // All threads are still at the slow name.
        #expect(begun.load(ordering: .relaxed) == 4)
        async let good = resolver.addresses(of: "good.example")
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<4 { ends.signal() }
        #expect(await good == [Self.address].compactMap(\.self))
    }
}
