import Dispatch
import Glibc
import Synchronization

/// Writes the lines of the log to a file, pipe or socket. A caller never waits until another program has read them.
///
/// A line is written at once as long as that program keeps up. Otherwise it waits for a thread that writes it, and when too
/// many wait, lines are lost. A line behind those that waited tells how many.
final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO, flushesAtExit: true)

    /// In bytes, of lines that wait.
    private static let capacity = 1 << 20
    /// A pipe that is ready for any byte takes so many, and a socket does too.
    private static let atOnce = Int(PIPE_BUF)
    /// How long the end of the process, or a restart, waits for the reader of the log.
    private static let patience = DispatchTimeInterval.seconds(1)

    private struct State {
        var waiting: [UInt8] = []
        var lostCount = 0
        /// Whether `writeWaiting` is on the queue. Lines then wait behind those that it writes.
        var isWriting = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "consentlink.log")

    init(_ descriptor: Int32, flushesAtExit: Bool = false) {
        self.descriptor = descriptor
        if flushesAtExit { atexit { LogOutput.standardError.flush() } }
    }

    /// - Parameter line: with its line feed.
    func write(_ line: [UInt8]) {
        state.withLock { state in
            if !state.isWriting, line.count <= Self.atOnce, isReady {
                write(whole: line)
            } else if state.waiting.count + line.count > Self.capacity {
                state.lostCount += 1
            } else {
                state.waiting += line
                if !state.isWriting {
                    state.isWriting = true
                    queue.async { self.writeWaiting() }
                }
            }
        }
    }

    /// Waits until all lines are written, but not for longer than a second.
    func flush() {
        guard state.withLock({ $0.isWriting }) else { return }
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + Self.patience)
    }

    private func writeWaiting() {
        while true {
            let lines = state.withLock { state -> [UInt8] in
                defer { (state.waiting, state.lostCount) = ([], 0) }
                if state.lostCount > 0 { state.waiting += JSONLogHandler.line(ofLost: state.lostCount) }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            guard !lines.isEmpty else { return }
            write(whole: lines)
        }
    }

    /// Whether a short line can be written without waiting. A descriptor that is closed or broken loses it at once.
    private var isReady: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) != 0
    }

    /// Bytes that nothing can be written to are lost.
    private func write(whole bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0 && errno == EAGAIN {
                    // Another process made the descriptor non-blocking.
                    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&polled, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}
