import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import LocalFiles

@Suite struct FileContentTests {
    @Test("a file is read to its end, whatever its length", arguments: [0, 1, 4096, 65_536, 200_001])
    func files(_ count: Int) throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let read = try FileContent.read(try folder.write(bytes, to: "x"))
            #expect(read == bytes)
        }
    }

    @Test("no more is read than a limit", arguments: [0, 1, 65_536, 100_000, 100_001])
    func limited(_ limit: Int) throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            let path = try folder.write(bytes, to: "x")
            #expect(try FileContent.read(path, atMost: limit) == Array(bytes.prefix(limit)))
        }
    }

    @Test("a file that should be small is read up to its limit, and one without an end is refused by it")
    func whole() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write([UInt8](repeating: 1, count: 10), to: "x")
            #expect(try FileContent.whole(path, upTo: 10).count == 10)
            #expect(throws: FileContent.Fault.tooLong(limit: 9)) { try FileContent.whole(path, upTo: 9) }
            #expect(throws: FileContent.Fault.tooLong(limit: 100)) { try FileContent.whole("/dev/zero", upTo: 100) }
            #expect(throws: FileContent.Fault.system(.isDirectory)) { try FileContent.whole(folder.path, upTo: 100) }
            let missing = folder.path(of: "y")
            #expect(throws: FileContent.Fault.system(.noSuchFileOrDirectory)) {
                try FileContent.whole(missing, upTo: 100)
            }
        }
        #expect("\(FileContent.Fault.tooLong(limit: 9))" == "it has more than 9 bytes")
        #expect("\(FileContent.Fault.system(.isDirectory))" == "it is a folder")
    }

    @Test(
        "a byte order mark is left out at the beginning alone",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 1], [1]), ([1, 0xEF, 0xBB, 0xBF], [1, 0xEF, 0xBB, 0xBF]),
            ([0xEF, 0xBB], [0xEF, 0xBB]), ([], []),
        ] as [([UInt8], [UInt8])])
    func mark(_ bytes: [UInt8], _ text: [UInt8]) {
        #expect(Array(FileContent.withoutByteOrderMark(bytes)) == text)
    }

    @Test("a pipe is read to its end, though each read gives a part")
    func pipe() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "pipe")
            #expect(mkfifo(path, 0o600) == 0)
            let bytes = [UInt8](repeating: 7, count: 300_000)
            // It waits for a reader.
            Thread.detachNewThread { try? Data(bytes).write(to: URL(filePath: path)) }
            let read = try FileContent.read(path)
            #expect(read == bytes)
        }
    }

    @Test("a table of the kernel is read whole, though each read gives a page")
    func kernel() throws {
        // Locks of this process, until the table is longer than a page.
        try TemporaryFolder.with { folder in
            let descriptors = try (0..<200).map { number in
                let descriptor = open(try folder.write("x", to: "\(number)"), O_RDWR)
                #expect(flock(descriptor, LOCK_EX) == 0)
                return descriptor
            }
            defer { for descriptor in descriptors { close(descriptor) } }
            let table = try #require(FileContent.text("/proc/locks"))
            let own = table.split(separator: "\n").count { $0.contains(" \(getpid()) ") }
            #expect(own >= descriptors.count)
        }
    }

    @Test("what cannot be read is told why")
    func unreadable() throws {
        try TemporaryFolder.with { folder in
            #expect(throws: Errno.noSuchFileOrDirectory) { _ = try FileContent.read(folder.path(of: "nowhere")) }
            #expect(throws: Errno.isDirectory) { _ = try FileContent.read(folder.path) }
            #expect(FileContent.text(folder.path(of: "nowhere")) == nil)
        }
    }
}
