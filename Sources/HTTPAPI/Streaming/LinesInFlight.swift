import Glibc
import NIOCore
import Synchronization

/// Limits how far storing may be ahead of a client: measures for a ``LineWindow`` how many bytes the client's machine
/// has not acknowledged.
///
/// A kernel buffer that is small enough to hold few lines would do that too, but would wait for a delayed
/// acknowledgement (RFC 1122, 4.2.3.2) after every batch: 40 ms each.
final class LinesInFlight: Sendable {
    /// How many decisions may be stored whose answers the client has not received. A client whose connection broke asks
    /// again for these lines.
    static let maximumDecisionCount = 1_000

    /// Guards the counts: one task stores, and another one writes.
    private let window: Mutex<LineWindow>
    private let channel: any Channel

    /// - Parameter limit: how many lines may be stored and not acknowledged.
    init(_ channel: any Channel, limit: Int) {
        self.channel = channel
        window = Mutex(LineWindow(limit: limit))
    }

    /// Returns once `count` more lines may be stored.
    /// - Throws: if the connection is closed.
    func admit(_ count: Int) async throws {
        while true {
            switch window.withLock({ $0.admit(count) }) {
            case .admit: return
            case .measure:
                let waiting = try await unacknowledgedBytes()
                window.withLock { $0.acknowledge(allBut: waiting) }
            // The kernel sends no signal when bytes are acknowledged.
            case .wait(let pause): try await Task.sleep(for: pause)
            }
        }
    }

    /// The answers to `count` of the admitted lines were given to the connection.
    func wrote(_ count: Int, bytes: Int) { window.withLock { $0.wrote(count, bytes: bytes) } }

    /// The bytes that wait in this process, and those that the kernel will send or has sent without acknowledgement.
    private func unacknowledgedBytes() async throws -> Int {
        try await channel.eventLoop.submit { [channel] in
            let buffered = try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
            var queued: CInt = 0
            let result = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { socket in ioctl(socket, UInt(TIOCOUTQ), &queued) }
            return result == 0 ? buffered + Int(queued) : buffered
        }.get()
    }
}
