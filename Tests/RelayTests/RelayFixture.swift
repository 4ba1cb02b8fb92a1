import Logging
import NIOPosix
import NIOSSL
import StubService
import Synchronization
import Testing
import Webhooks

@testable import Relay

/// A relay of one organization, whose service and endpoint are servers of the test.
struct RelayFixture {
    let stop = StopFlag()
    let log = CapturedLog()
    let outage: ServiceOutage
    let calls: ServiceCalls
    let relay: OrganizationRelay

    /// - Parameters:
    ///   - outage: of a relay whose process this one is in, too.
    ///   - now: the relay's clock.
    init(
        _ service: StubServer, outage: ServiceOutage? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        self.outage = outage ?? ServiceOutage(log.logger)
        let key = "clk_" + String(repeating: "A", count: 43)
        let identity = try #require(RelayIdentity(relay: "relay-of-the-tests", process: "process-00000000"))
        let policy = ConnectionPolicy(
            allowedHosts: ["127.0.0.1"], resolver: SystemResolver(organization: "acme", threads: LookUpThreads()))
        let client = DeliveryClient(
            policy, tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton, now: now)
        calls = try ServiceCalls(
            service.base, key: key, over: ServiceConnectionSets(organizations: 1), organization: "acme",
            identity: identity)
        relay = OrganizationRelay(
            calls: calls, client: client, underWay: EndpointsUnderWay(), stop: stop, outage: self.outage,
            logger: log.logger)
    }

    /// - Parameter body: without characters that JSON escapes.
    static func delivery(_ token: String, of endpoint: String, to url: String, body: String = "{}") -> String {
        """
        {"delivery":"\(token)","endpoint":"\(endpoint)","url":"\(url)","webhookId":"msg_1","webhookTimestamp":12,\
        "webhookSignature":"v1,abc","contentType":"application/json","body":"\(body)"}
        """
    }
}

/// Keeps what is logged.
final class CapturedLog: Sendable {
    private struct Handler: LogHandler {
        let log: CapturedLog
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        func log(event: LogEvent) { log.note("\(event.level): \(event.message)") }

        subscript(metadataKey name: String) -> Logger.Metadata.Value? {
            get { metadata[name] }
            set { metadata[name] = newValue }
        }
    }

    private struct State {
        var lines: [String] = []
        var onLine: @Sendable (String) -> Void = { _ in }
    }

    /// Guards the lines and who is told of them; held to read or change them.
    private let state = Mutex(State())

    /// Such as `error: the service does not answer`.
    var lines: [String] { state.withLock { $0.lines } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    func onLine(_ tell: @escaping @Sendable (String) -> Void) { state.withLock { $0.onLine = tell } }

    private func note(_ line: String) {
        let tell = state.withLock { state in
            state.lines.append(line)
            return state.onLine
        }
        tell(line)
    }
}
