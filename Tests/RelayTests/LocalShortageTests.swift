import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import Webhooks

@testable import Relay

/// Failures that say nothing about an endpoint.
@Suite struct LocalShortageTests {
    @Test(
        "a lack of descriptors, memory or ports is the relay's own, everything else is the endpoint's",
        arguments: [
            (EMFILE, true), (ENFILE, true), (ENOBUFS, true), (ENOMEM, true), (EADDRNOTAVAIL, true),
            (ECONNREFUSED, false), (EHOSTUNREACH, false), (ENETUNREACH, false), (ETIMEDOUT, false), (EACCES, false),
        ])
    func codes(_ code: CInt, _ isOwn: Bool) {
        #expect(LocalShortage.isCause(of: IOError(errnoCode: code, reason: "connect")) == isOwn)
    }

    @Test("a connection that takes too long is the endpoint's fault")
    func timeout() {
        #expect(!LocalShortage.isCause(of: ChannelError.connectTimeout(.seconds(5))))
        #expect(!LocalShortage.preventsSockets)
    }

    @Test("a delivery for which the relay has no descriptor is not sent, and is no failure of its endpoint")
    func withoutDescriptors() async {
        // The limit holds for a whole process, so it is lowered in one of its own.
        await #expect(processExitsWith: .success) {
            let resolver = SystemResolver(organization: "acme", threads: LookUpThreads())
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let client = DeliveryClient(
                ConnectionPolicy(allowedHosts: ["127.0.0.1"], resolver: resolver),
                tls: try NIOSSLContext(configuration: .makeClientConfiguration()), group: group)
            let request = SignedRequest(
                url: try EndpointURL("http://127.0.0.1:9/hooks"), webhookID: "msg_1", timestamp: 12,
                signatures: "v1,abc", contentType: "application/json", body: [])
            let delivery = RelayedDelivery(
                lease: RelayedLease(token: "AAAA", endpoint: "one", end: .now + .seconds(60)), request: request,
                renderedSince: .now)
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            limit.rlim_cur = 0
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(3) }
            let result = await client.send(delivery) { $0 }
            exit(result == .notSent(.localShortage) ? 0 : 1)
        }
    }
}
