import StoragePorts
import Synchronization
import Testing

@testable import Service

@Suite struct RingWaitTests {
    private let nodes: [NodeName]

    init() throws { nodes = [try #require(NodeName("links-1")), try #require(NodeName("links-2"))] }

    private func wait(_ timeout: Duration = .seconds(60)) -> RingWait {
        RingWait(timeout: timeout, pause: .milliseconds(1))
    }

    @Test("it asks until every node has the ring, also after an answer that failed")
    func everyNode() async throws {
        let asked = Atomic(0)
        let nodes = nodes
        let missing = try await wait().missing {
            switch asked.add(1, ordering: .relaxed).newValue {
            case 1: return nodes
            case 2: throw NodesUnknown()
            case 3: return Array(nodes.prefix(1))
            default: return []
            }
        }
        #expect(missing.isEmpty)
        #expect(asked.load(ordering: .relaxed) == 4)
    }

    @Test("the nodes that lack the ring when the time is over are named")
    func named() async throws {
        let nodes = nodes
        #expect(try await wait(.seconds(1)).missing { nodes } == nodes)
    }

    @Test("a database that stands still from the beginning is told")
    func silent() async throws {
        let (silence, answer) = AsyncStream<Void>.makeStream()
        await #expect(throws: NodesUnknown()) {
            try await wait(.milliseconds(50)).missing {
                for await _ in silence {}
                return []
            }
        }
        answer.finish()
    }

    @Test("of a database that comes to a standstill, the last answer counts")
    func silentLater() async throws {
        let (silence, answer) = AsyncStream<Void>.makeStream()
        let asked = Atomic(0)
        let nodes = nodes
        let missing = try await wait(.seconds(1)).missing {
            if asked.add(1, ordering: .relaxed).newValue > 1 { for await _ in silence {} }
            return Array(nodes.suffix(1))
        }
        #expect(missing == Array(nodes.suffix(1)))
        answer.finish()
    }

    @Test("a failure of the first question is thrown")
    func failed() async {
        await #expect(throws: Outage.self) { try await wait().missing { throw Outage() } }
    }
}
