import Dispatch
import Glibc
import LocalFiles
import Synchronization
import SystemPackage

/// Writes the lines of the log to a file, pipe or socket. A caller never waits until another program has read them.
///
/// A line is written at once as long as that program keeps up. Otherwise it waits for a thread that writes it, also
/// while the disk of a file is full, and when too many wait, lines are lost. A line behind those that waited tells how
/// many.
final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO, flushesAtExit: true)

    /// In bytes, of lines that wait.
    private static let capacity = 1 << 20
    /// In bytes: a pipe or a socket that is ready for one byte takes this many.
    private static let atOnce = Int(PIPE_BUF)
    /// How long the end of the process, or a restart, waits for the reader of the log.
    private static let timeout = DispatchTimeInterval.seconds(1)
    /// How long lines wait on a full disk until they are written again.
    private static let pause = DispatchTimeInterval.milliseconds(500)
    private static let lineFeed = UInt8(ascii: "\n")

    private struct State {
        var waiting: [UInt8] = []
        var lostCount = 0
        /// How many of the lost lines no line has told of.
        var untoldCount = 0
        /// Whether a part of a lost line was written, without its line feed.
        var isCut = false
        /// Whether `writeWaiting` is on the queue, or will be. Lines then wait behind those that it writes.
        var isWriting = false

        mutating func lose(_ count: Int) {
            lostCount += count
            untoldCount += count
        }
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "consentlink.log")

    init(_ descriptor: Int32, flushesAtExit: Bool = false) {
        self.descriptor = descriptor
        if flushesAtExit { atexit { LogOutput.standardError.flush() } }
    }

    /// The lines that were lost since the process began.
    var lostCount: Int { state.withLock(\.lostCount) }

    /// - Parameter line: with its line feed.
    func write(_ line: [UInt8]) {
        state.withLock { state in
            if !state.isWriting, state.untoldCount == 0, !state.isCut, line.count <= Self.atOnce, isReady {
                settle(line, write(whole: line), &state)
            } else if state.waiting.count + line.count > Self.capacity {
                state.lose(1)
            } else {
                state.waiting += line
                if !state.isWriting {
                    state.isWriting = true
                    queue.async { self.writeWaiting() }
                }
            }
        }
    }

    /// Waits until all lines are written or the disk is full, but not for longer than a second.
    func flush() {
        guard state.withLock({ $0.isWriting }) else { return }
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writeWaiting()
            done.signal()
        }
        _ = done.wait(timeout: .now() + Self.timeout)
    }

    private func writeWaiting() {
        while true {
            let (lines, told) = state.withLock { state in
                var lines = state.isCut ? [Self.lineFeed] + state.waiting : state.waiting
                let told = state.untoldCount
                if told > 0 { lines += JSONLogHandler.line(ofLost: told) }
                (state.waiting, state.untoldCount, state.isCut) = ([], 0, false)
                state.isWriting = !lines.isEmpty
                return (lines, told)
            }
            guard !lines.isEmpty else { return }
            let end = write(whole: lines)
            let goesOn = state.withLock { state in
                settle(lines, end, &state, told: told)
                return end.count == lines.count || !end.isFull && state.isWriting
            }
            guard goesOn else { return }
        }
    }

    /// Keeps lines that a full disk did not take. Lines that cannot be written for another reason are lost.
    /// - Parameter told: how many lost lines the last of `lines` tells of; 0 if it tells of none.
    private func settle(_ lines: [UInt8], _ end: (count: Int, isFull: Bool), _ state: inout State, told: Int = 0) {
        let rest = lines[end.count...]
        guard !rest.isEmpty else { return }
        if end.isFull {
            state.waiting = rest + state.waiting
            state.isWriting = true
            queue.asyncAfter(deadline: .now() + Self.pause) { self.writeWaiting() }
        } else {
            state.isCut = end.count > 0 && lines[end.count - 1] != Self.lineFeed
            state.lose(max(0, rest.split(separator: Self.lineFeed).count - (told > 0 ? 1 : 0)))
            state.untoldCount += told
            state.isWriting = !state.waiting.isEmpty
        }
    }

    /// Whether a short line can be written without waiting. A descriptor that is closed or broken loses it at once.
    private var isReady: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) != 0
    }

    /// - Returns: how many bytes were written, and whether the disk has no room for the rest.
    private func write(whole bytes: [UInt8]) -> (count: Int, isFull: Bool) {
        let (count, error) = FileDescriptor(rawValue: descriptor).write(allOf: bytes)
        return (count, error == .noSpace || error == .diskQuotaExceeded)
    }
}
