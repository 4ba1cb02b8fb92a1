import ArgumentParser
import Glibc
import LocalFiles
import NIOPosix
import Synchronization
import SystemPackage

/// A file of lines, or standard input, read piece by piece.
final class InputFile: Sendable {
    private static let bytesAtOnce = 64 << 10
    /// How long a read waits for input before it checks whether the task was cancelled.
    private static let patienceInMilliseconds: CInt = 100

    private let descriptor: CInt
    /// In bytes; `nil` if it cannot be known.
    let size: Int?
    private let taken = Atomic(0)

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(CommandFailure) {
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let status = FileStatus(descriptor: descriptor) else {
            throw CommandFailure(
                "consentlink: cannot read \(path.shown): \(Errno.last)", exitCode: ExitStatus.usage)
        }
        guard status.type != .directory else {
            throw CommandFailure("consentlink: cannot read \(path.shown): it is a folder", exitCode: ExitStatus.usage)
        }
        size = status.type == .regular ? status.size : nil
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The part that was read, from 0 to 1; `nil` if it cannot be known.
    var share: Double? {
        size.map { $0 == 0 ? 1 : min(Double(taken.load(ordering: .relaxed)) / Double($0), 1) }
    }

    /// The next bytes; `nil` at the end. Waits on a thread of its own, as long as the task is not cancelled.
    func next() async throws -> [UInt8]? {
        while true {
            try Task.checkCancellation()
            let piece = try await NIOThreadPool.singleton.runIfActive { [descriptor] in try Self.read(descriptor) }
            guard let piece else { continue }
            taken.add(piece.count, ordering: .relaxed)
            return piece.isEmpty ? nil : piece
        }
    }

    /// - Returns: an empty piece at the end; `nil` if there is nothing to read yet.
    private static func read(_ descriptor: CInt) throws -> [UInt8]? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, patienceInMilliseconds) > 0 else { return nil }
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: bytesAtOnce) { buffer, initialized in
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(count, 0)
        }
        guard count >= 0 else {
            let error = Errno.last
            guard error != .interrupted else { return nil }
            throw CommandFailure("consentlink: cannot read the input: \(error)")
        }
        return piece
    }
}
