import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import Testing
import Webhooks

@testable import Relay

/// One delivery over a real socket.
@Suite struct DeliveryClientTests {
    private struct Fixed: NameResolver {
        /// Is called with each look-up.
        var onLookUp: @Sendable () -> Void = {}
        var isBusy = false

        func addresses(of name: String) async -> [NetworkAddress]? {
            onLookUp()
            return isBusy ? nil : NetworkAddress([127, 0, 0, 1]).map { [$0] } ?? []
        }
    }

    /// The clock of a machine that can be suspended.
    private final class Clock: Sendable {
        private let state = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { state.withLock { $0 } }
        func advance(by time: Duration) { state.withLock { $0 += time } }
    }

    private func send(
        _ pieces: [String], pause: TimeAmount = .milliseconds(1), closes: Bool = true, secure: Bool = false,
        allowing: Set<String> = ["crm.test"]
    ) async throws -> (outcome: DeliveryOutcome, sent: String) {
        let server = try await ScriptedServer(pieces, pause: pause, closes: closes)
        let client = DeliveryClient(
            ConnectionPolicy(allowedHosts: allowing, resolver: Fixed()),
            tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton, timeout: .milliseconds(600))
        let url = try EndpointURL("\(secure ? "https" : "http")://crm.test:\(server.port)/hooks?a=1")
        let result = await client.send(Self.delivery(url))
        let sent = server.text
        try await server.close()
        guard case .ended(let outcome) = result else { throw NotSent() }
        return (outcome, sent)
    }

    private struct NotSent: Error {}

    private static func request(_ url: EndpointURL) -> SignedRequest {
        SignedRequest(
            url: url, webhookID: "msg_1", timestamp: 12, signatures: "v1,abc", contentType: "application/json",
            body: Array("{}".utf8))
    }

    private static func delivery(
        _ request: SignedRequest, leaseEnd: ContinuousClock.Instant = .now + .seconds(60)
    ) -> RelayedDelivery {
        RelayedDelivery(
            lease: RelayedLease(token: "AAAA", endpoint: "one", end: leaseEnd), request: request, renderedSince: .now)
    }

    private static func delivery(
        _ url: EndpointURL, leaseEnd: ContinuousClock.Instant = .now + .seconds(60)
    ) -> RelayedDelivery { delivery(request(url), leaseEnd: leaseEnd) }

    @Test("a delivery is one request with the headers that sign it and the host of its URL")
    func request() async throws {
        let (outcome, sent) = try await send(["HTTP/1.1 204 No Content\r\n\r\n"])
        #expect(outcome == .answered(status: 204, retryAfter: nil))
        #expect(sent.hasPrefix("POST /hooks?a=1 HTTP/1.1\r\nHost: crm.test:"))
        for line in [
            "webhook-id: msg_1", "webhook-timestamp: 12", "webhook-signature: v1,abc", "Content-Length: 2",
            "Connection: close",
        ] { #expect(sent.contains("\r\n\(line)\r\n"), "\(line)") }
        #expect(sent.hasSuffix("\r\n\r\n{}"))
    }

    @Test(
        "a wish for a pause is cut to a day, however many digits it has, and what is no number is no wish",
        arguments: [
            ("0", 0), ("86401", 86_400), ("2147483648", 86_400), ("99999999999999999999999", 86_400), ("-5", nil),
            ("+5", nil), ("soon", nil), ("600 ", 600), ("600\t ", 600), ("\t 600", 600), ("6 00", nil), (" ", nil),
            ("Fri, 27 Nov 2026 12:00:00 GMT", nil),
        ])
    func retryAfter(_ field: String, _ wish: Int?) async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: \(field)\r\nContent-Length: 0\r\n\r\n"
        #expect(try await send([busy]).outcome == .answered(status: 503, retryAfter: wish))
    }

    @Test("a redirect is not followed, and Retry-After is told")
    func statuses() async throws {
        let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
        #expect(try await send([redirect]).outcome == .answered(status: 302, retryAfter: nil))
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
        #expect(try await send([busy]).outcome == .answered(status: 503, retryAfter: 120))
        let early = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(try await send([early]).outcome == .answered(status: 200, retryAfter: nil))
    }

    @Test("answers that announce the final one are few, or the answer is broken", arguments: [(8, true), (9, false)])
    func informational(_ count: Int, _ isTaken: Bool) async throws {
        let early = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: count)
        let outcome = try await send([early + "HTTP/1.1 204 No Content\r\n\r\n"]).outcome
        #expect(outcome == (isTaken ? .answered(status: 204, retryAfter: nil) : .failed(.brokenAnswer)))
    }

    @Test("a status that HTTP does not have is a broken answer", arguments: [600, 799, 999])
    func noStatus(_ status: Int) async throws {
        let answer = "HTTP/1.1 \(status) Odd\r\nContent-Length: 0\r\n\r\n"
        #expect(try await send([answer]).outcome == .failed(.brokenAnswer))
    }

    @Test("an answer that is slow, endless or none ends in time, and is told apart")
    func hostileAnswers() async throws {
        let head = "HTTP/1.1 500 Oops\r\n"
        let drip = [head + "Content-Length: 1000\r\n\r\n"] + Array(repeating: "x", count: 900)
        #expect(try await send(drip, pause: .milliseconds(50)).outcome == .failed(.timedOut))
        #expect(try await send([], closes: false).outcome == .failed(.timedOut))
        let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
        let endless = [head + "Transfer-Encoding: chunked\r\n\r\n"] + Array(repeating: chunk, count: 6)
        #expect(try await send(endless, closes: false).outcome == .failed(.answerTooLong))
        #expect(try await send(["SSH-2.0-OpenSSH\r\n"]).outcome == .failed(.brokenAnswer))
        #expect(try await send([head + "Content-Length: 9\r\n\r\nx"]).outcome == .failed(.brokenAnswer))
        #expect(try await send([]).outcome == .failed(.brokenAnswer))
    }

    @Test("once an answer says that the event was taken, the rest of it says nothing more")
    func takenAtTheHead() async throws {
        let taken = DeliveryOutcome.answered(status: 200, retryAfter: nil)
        #expect(try await send(["HTTP/1.1 200 OK\r\n\r\n"], closes: false).outcome == taken)
        #expect(try await send(["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"]).outcome == taken)
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 1_000_000)
        #expect(try await send([long]).outcome == taken)
    }

    @Test("a side that speaks no TLS is told apart, and so is one that nothing listens at")
    func connections() async throws {
        #expect(try await send(["HTTP/1.1 200 OK\r\n\r\n"], secure: true).outcome == .failed(.tls))
        let server = try await ScriptedServer([], pause: .zero, closes: true)
        let port = server.port
        try await server.close()
        let client = DeliveryClient(
            ConnectionPolicy(allowedHosts: ["crm.test"], resolver: Fixed()),
            tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton)
        let request = SignedRequest(
            url: try EndpointURL("http://crm.test:\(port)/"), webhookID: "m", timestamp: 1, signatures: "v1,",
            contentType: "a/b", body: [])
        #expect(await client.send(Self.delivery(request)) == .ended(.failed(.cannotConnect)))
    }

    @Test("nothing is sent to an address that is not allowed")
    func refused() async throws {
        let (outcome, sent) = try await send(["HTTP/1.1 200 OK\r\n\r\n"], secure: true, allowing: [])
        #expect(outcome == .failed(.addressNotAllowed) && sent.isEmpty)
    }

    /// - Parameters:
    ///   - lease: for how long it lasts when sending begins. A delivery may take 15 seconds.
    ///   - suspended: for how long the machine is, while the name is looked up.
    private func send(
        lease: Duration, suspended: Duration = .zero, isBusy: Bool = false
    ) async throws -> (result: SendingResult, sent: String) {
        let server = try await ScriptedServer(
            ["HTTP/1.1 204 No Content\r\n\r\n"], pause: .milliseconds(1), closes: true)
        let clock = Clock()
        let resolver = Fixed(onLookUp: { clock.advance(by: suspended) }, isBusy: isBusy)
        let client = DeliveryClient(
            ConnectionPolicy(allowedHosts: ["crm.test"], resolver: resolver),
            tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton, timeout: .seconds(15), now: { clock.now })
        let url = try EndpointURL("http://crm.test:\(server.port)/hooks")
        let result = await client.send(Self.delivery(url, leaseEnd: clock.now + lease))
        let sent = server.text
        try await server.close()
        return (result, sent)
    }

    @Test("nothing is sent when less of the lease is left than a delivery may take")
    func lease() async throws {
        let delivered = SendingResult.ended(.answered(status: 204, retryAfter: nil))
        #expect(try await send(lease: .seconds(30)).result == delivered)
        for (result, sent) in [
            try await send(lease: .seconds(14)), try await send(lease: .seconds(-60)),
            try await send(lease: .seconds(30), suspended: .seconds(16)),
            try await send(lease: .seconds(30), suspended: .seconds(86_400)),
        ] { #expect(result == .notSent(.leaseEnds) && sent.isEmpty) }
        #expect(try await send(lease: .seconds(30), suspended: .seconds(10)).result == delivered)
    }

    @Test("an endpoint whose name no thread was free for has not failed")
    func busy() async throws {
        let (result, sent) = try await send(lease: .seconds(30), isBusy: true)
        #expect(result == .notSent(.lookUpsBusy) && sent.isEmpty)
    }

    /// Sends a delivery that is asked for again once there is a connection.
    private func send(
        asking current: @escaping @Sendable (RelayedDelivery) throws(SendingResult.Reason) -> RelayedDelivery,
        secure: Bool = false
    ) async throws -> (result: SendingResult, sent: String) {
        let server = try await ScriptedServer(
            secure ? [] : ["HTTP/1.1 204 No Content\r\n\r\n"], pause: .milliseconds(1), closes: !secure)
        let client = DeliveryClient(
            ConnectionPolicy(allowedHosts: ["crm.test"], resolver: Fixed()),
            tls: try NIOSSLContext(configuration: .makeClientConfiguration()),
            group: MultiThreadedEventLoopGroup.singleton, timeout: .milliseconds(600))
        let url = try EndpointURL("\(secure ? "https" : "http")://crm.test:\(server.port)/hooks")
        let result = await client.send(Self.delivery(url)) { delivery throws(SendingResult.Reason) in
            try current(delivery)
        }
        let sent = server.text
        try await server.close()
        return (result, sent)
    }

    @Test("what is sent is asked for when there is a connection, and nothing is sent that must not be any more")
    func current() async throws {
        let (result, sent) = try await send { delivery in
            let old = delivery.request
            let request = SignedRequest(
                url: old.url, webhookID: "msg_1", timestamp: 13, signatures: "v1,def", contentType: "a/b",
                body: Array("[1]".utf8))
            return RelayedDelivery(lease: delivery.lease, request: request, renderedSince: .now)
        }
        #expect(result == .ended(.answered(status: 204, retryAfter: nil)))
        #expect(sent.contains("\r\nwebhook-signature: v1,def\r\n") && sent.hasSuffix("\r\n\r\n[1]"))
        for reason in [SendingResult.Reason.endpointChanged, .notRenewed] {
            let (result, sent) = try await send { _ throws(SendingResult.Reason) in throw reason }
            #expect(result == .notSent(reason) && sent.isEmpty)
        }
    }

    @Test("a delivery whose lease no longer lasts as long as it may take is not sent, whatever the service took")
    func shortLease() async throws {
        for (left, isSent) in [(Duration.zero, false), (.seconds(60), true)] {
            let (result, sent) = try await send { delivery in
                let lease = RelayedLease(token: "BBBB", endpoint: "one", end: .now + left)
                return RelayedDelivery(lease: lease, request: delivery.request, renderedSince: .now)
            }
            #expect(result == (isSent ? .ended(.answered(status: 204, retryAfter: nil)) : .notSent(.leaseEnds)))
            #expect(sent.isEmpty != isSent)
        }
    }

    @Test("over TLS what is sent is asked for after the handshake, for a body would wait for it")
    func afterTheHandshake() async throws {
        let asked = Atomic(false)
        let (result, _) = try await send(
            asking: { delivery in
                asked.store(true, ordering: .relaxed)
                return delivery
            }, secure: true)
        #expect(result == .ended(.failed(.timedOut)))
        let wasAsked = asked.load(ordering: .relaxed)
        #expect(!wasAsked)
    }
}

extension DeliveryClient {
    /// Sends a delivery as it is.
    fileprivate func send(_ delivery: RelayedDelivery) async -> SendingResult { await send(delivery) { $0 } }
}
