import Glibc
import NIOCore
import Synchronization

/// Keeps what is stored from running ahead of a client: counts the lines whose answers the client's machine has not
/// acknowledged.
///
/// A buffer of the kernel that is small enough to hold few lines would do that too, and would wait for a delayed
/// acknowledgement (RFC 1122, 4.2.3.2) after every batch: 40 ms each.
final class LinesInFlight: Sendable {
    private static let shortestPause = Duration.milliseconds(1)
    private static let longestPause = Duration.milliseconds(50)

    private struct Written {
        let lines: Int
        let bytes: Int
    }

    private struct State {
        /// Stored, and not given to the connection yet.
        var inHand = 0
        /// Given to the connection, the oldest first.
        var written: [Written] = []

        var lines: Int { written.reduce(inHand) { $0 + $1.lines } }

        /// Forgets what is surely acknowledged when no more than the last `waiting` bytes may not be.
        mutating func acknowledge(allBut waiting: Int) {
            guard waiting > 0 else { return written = [] }
            var bytes = 0
            let first = written.lastIndex { batch in
                bytes += batch.bytes
                return bytes >= waiting
            }
            if let first { written.removeFirst(first) }
        }
    }

    /// Guards the counts: one task stores and another one writes.
    private let state = Mutex(State())
    private let channel: any Channel
    /// How many lines may be stored and not acknowledged.
    private let limit: Int

    init(_ channel: any Channel, limit: Int) {
        self.channel = channel
        self.limit = limit
    }

    /// Returns when as many lines more may be stored.
    /// - Throws: when the connection is closed.
    func admit(_ count: Int) async throws {
        var pause = Self.shortestPause
        while !admitNow(count) {
            let waiting = try await unacknowledgedBytes()
            state.withLock { $0.acknowledge(allBut: waiting) }
            if admitNow(count) { return }
            // The kernel tells nobody when something was acknowledged.
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// The answers to as many of the lines that were admitted are given to the connection.
    func wrote(_ count: Int, bytes: Int) {
        state.withLock { state in
            state.inHand -= count
            state.written.append(Written(lines: count, bytes: bytes))
        }
    }

    private func admitNow(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.lines == 0 || state.lines + count <= limit else { return false }
            state.inHand += count
            return true
        }
    }

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
