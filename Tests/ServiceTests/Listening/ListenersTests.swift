import HTTPConnections
import NIOCore
import NIOEmbedded
import Redirect
import Synchronization
import Testing

@testable import Service

@Suite struct ListenersReadyTests {
    private func channel(_ address: String, _ port: Int) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.localAddress = try SocketAddress(ipAddress: address, port: port)
        return channel
    }

    @Test("the service is ready when both listeners are bound, whichever was first, with the ports they got")
    func both() throws {
        for listeners in [
            [ListenersReady.Listener.publicListener, .privateListener], [.privateListener, .publicListener],
        ] {
            let told = Mutex<[String]>([])
            let ready = ListenersReady(hasConsole: false) { all in
                told.withLock { $0 = ["\(all.publicListener)", "\(all.privateListener)"] }
            }
            for listener in listeners {
                #expect(told.withLock { $0 } == [])
                ready.didOpen(
                    listener,
                    listener == .publicListener ? try channel("127.0.0.1", 40_001) : try channel("::1", 40_002))
            }
            #expect(told.withLock { $0 } == ["127.0.0.1:40001", "[::1]:40002"])
        }
    }

    @Test("one that is bound to no address is none")
    func unbound() throws {
        let told = Mutex(0)
        let ready = ListenersReady(hasConsole: false) { _ in told.withLock { $0 += 1 } }
        ready.didOpen(.privateListener, try channel("127.0.0.1", 1))
        ready.didOpen(.publicListener, EmbeddedChannel())
        #expect(told.withLock { $0 } == 0)
    }
}

@Suite struct DescriptorTests {
    @Test(
        "a limit is scarce that leaves less than half of the usual readers",
        arguments: [
            (512, true), (12_455, true), (12_456, false), (1_048_576, false),
        ])
    func scarce(_ limit: Int, _ isScarce: Bool) throws {
        #expect(try DescriptorShares(limit: limit).isScarce == isScarce)
    }

    @Test("no listener gets more than usual, and the private one at most a quarter", arguments: [512, 5000, 1_048_576])
    func shares(_ limit: Int) throws {
        let shares = try DescriptorShares(limit: limit)
        #expect(
            shares.publicListener <= ConnectionLimit.usual && shares.privateListener <= DescriptorShares.usualPrivate)
        #expect(shares.privateListener <= (limit - DescriptorShares.reserve) / 4)
    }
}
