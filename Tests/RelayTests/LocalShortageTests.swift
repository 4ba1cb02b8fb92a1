import Glibc
import NIOCore
import Testing

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
}
