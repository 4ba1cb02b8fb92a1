import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Console

@Suite struct DownloadProgressTests {
    @Test("a client is silent while as many bytes wait for it as before, or more, and nothing was written")
    func silence() {
        let start = ContinuousClock.now
        var progress = DownloadProgress()
        let looks: [(written: Int, untaken: Int, silence: Int)] = [
            (1, 100, 0), (1, 100, 5), (1, 100, 10), (1, 60, 0), (1, 60, 5), (2, 90, 0), (2, 90, 5), (2, 0, 0),
            (2, 0, 0), (2, 50, 5),
        ]
        for (number, look) in looks.enumerated() {
            let now = start + .seconds(5 * number)
            let silence = progress.silence(written: look.written, untaken: look.untaken, at: now)
            #expect(silence == .seconds(look.silence), "look \(number)")
        }
    }
}

@Suite struct DownloadWatchTests {
    /// A client that takes nothing until its connection is cut.
    private final class Client: Sendable {
        struct IsCut: Error {}

        private let state = Mutex((isCut: false, isSignedIn: true))

        var isCut: Bool { state.withLock { $0.isCut } }
        var isSignedIn: Bool { state.withLock { $0.isSignedIn } }

        func cut() { state.withLock { $0.isCut = true } }
        func signOut() { state.withLock { $0.isSignedIn = false } }

        /// Waits for the client, for half a minute at most.
        func take() async throws {
            guard await eventually({ isCut }) else { return }
            throw IsCut()
        }
    }

    private struct Unavailable: Error {}

    private func watch(
        _ client: Client, timeout: Duration, untaken: Int = 100, failsToAsk: Bool = false
    ) -> DownloadWatch {
        DownloadWatch(
            CallerValidity {
                if failsToAsk { throw Unavailable() }
                return client.isSignedIn
            }, interval: .milliseconds(5), timeout: timeout, untaken: { untaken }, cut: { client.cut() })
    }

    @Test("a download whose session has ended is cut off while its client takes nothing")
    func signedOut() async {
        let client = Client()
        client.signOut()
        await #expect(throws: Client.IsCut.self) {
            try await watch(client, timeout: .seconds(60)).watching { try await client.take() }
        }
    }

    @Test(
        "a client that takes nothing for too long is cut off, also while the store cannot be asked",
        arguments: [true, false])
    func silent(_ failsToAsk: Bool) async {
        let client = Client()
        await #expect(throws: Client.IsCut.self) {
            try await watch(client, timeout: .milliseconds(20), failsToAsk: failsToAsk).watching {
                try await client.take()
            }
        }
    }

    @Test("a client that takes what there is is not cut off, nor one that is signed in and has time")
    func patient() async throws {
        let client = Client()
        for (timeout, untaken) in [(.milliseconds(1), 0), (.seconds(60), 100)] as [(Duration, Int)] {
            try await watch(client, timeout: timeout, untaken: untaken, failsToAsk: untaken > 0).watching {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        #expect(!client.isCut)
    }
}
