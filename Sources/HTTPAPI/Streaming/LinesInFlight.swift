import Glibc
import NIOCore
import Synchronization

/// Keeps what is stored from running ahead of a client: measures for a ``LineWindow`` how many bytes the client's machine
/// has not acknowledged.
///
/// A buffer of the kernel that is small enough to hold few lines would do that too, and would wait for a delayed
/// acknowledgement (RFC 1122, 4.2.3.2) after every batch: 40 ms each.
final class LinesInFlight: Sendable {
    /// Guards the counts: one task stores and another one writes.
    private let window: Mutex<LineWindow>
    private let channel: any Channel

    /// - Parameter limit: how many lines may be stored and not acknowledged.
    init(_ channel: any Channel, limit: Int) {
        self.channel = channel
        window = Mutex(LineWindow(limit: limit))
    }

    /// Returns when as many lines more may be stored.
    /// - Throws: when the connection is closed.
    func admit(_ count: Int) async throws {
        while true {
            switch window.withLock({ $0.admit(count) }) {
            case .admit: return
            case .measure:
                let waiting = try await unacknowledgedBytes()
                window.withLock { $0.acknowledge(allBut: waiting) }
            // The kernel tells nobody when something was acknowledged.
            case .wait(let pause): try await Task.sleep(for: pause)
            }
        }
    }

    /// The answers to as many of the lines that were admitted are given to the connection.
    func wrote(_ count: Int, bytes: Int) { window.withLock { $0.wrote(count, bytes: bytes) } }

    /// What waits in this process, and what the kernel has sent or will send and is not acknowledged.
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
