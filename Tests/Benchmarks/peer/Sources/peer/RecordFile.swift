import Dispatch
import Glibc
import NIOCore
import Synchronization

/// What is stored of a request: its time, and the last 32 bytes of its path. 40 bytes.
struct Record {
    static let size = 40

    let time: UInt64
    let path: ByteBufferView

    init(path: ByteBufferView) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        time = UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
        self.path = path
    }

    func write(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: time.bigEndian) { bytes.append(contentsOf: $0) }
        let end = path.suffix(Self.size - 8)
        bytes.append(contentsOf: end)
        bytes.append(contentsOf: repeatElement(0, count: Self.size - 8 - end.count))
    }
}

/// A file that records are appended to. All records that wait while one `fdatasync` is under way share the next.
final class RecordFile: Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        var completions: [@Sendable () -> Void] = []
        var loop: (any EventLoop)?
        var isRunning = false
    }

    private let descriptor: Int32
    /// Guards what waits; never held while the disk works.
    private let state = Mutex(Waiting())
    private let queue = DispatchQueue(label: "peer.records")

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "open") }
    }

    /// Hands over a record. `completion` is called on `loop` once the record is durable. There is one event loop.
    func append(_ record: Record, on loop: any EventLoop, completion: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            record.write(to: &state.bytes)
            state.completions.append(completion)
            state.loop = loop
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { queue.async { self.run() } }
    }

    /// Works until nothing waits.
    private func run() {
        while let work = take() {
            work.bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    guard written > 0 else { fatalError("the records cannot be written: \(errno)") }
                    rest = rest.dropFirst(written)
                }
            }
            guard fdatasync(descriptor) == 0 else { fatalError("the records cannot be made durable: \(errno)") }
            work.loop?.execute { for completion in work.completions { completion() } }
        }
    }

    private func take() -> Waiting? {
        state.withLock { state in
            guard !state.completions.isEmpty else {
                state.isRunning = false
                return nil
            }
            let work = state
            state.bytes = []
            state.completions = []
            return work
        }
    }
}
