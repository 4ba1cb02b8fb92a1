import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import LocalFiles

@Suite struct WholeWriteTests {
    @Test("all is written to a pipe that does not block, however late it is read")
    func pipe() async throws {
        let (reading, writing) = try FileDescriptor.pipe()
        #expect(fcntl(writing.rawValue, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let work = Task.detached {
            // The reader waits for the end.
            defer { try? writing.close() }
            try writing.writeWhole(bytes)
        }
        // Until the pipe is full.
        var waiting = pollfd(fd: writing.rawValue, events: Int16(POLLOUT), revents: 0)
        #expect(await eventually { poll(&waiting, 1, 0) <= 0 })
        var read: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 10_000)
        while case let count = try piece.withUnsafeMutableBytes({ try reading.read(into: $0) }), count > 0 {
            read += piece[..<count]
        }
        try await work.value
        try reading.close()
        #expect(read == bytes)
    }

    @Test("what cannot be written is said as the system says it")
    func full() throws {
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        #expect(throws: Errno.noSpace) { try full.writeWhole([1]) }
        try full.close()
        #expect("\(Errno.noSpace)" == "No space left on device")
    }
}
