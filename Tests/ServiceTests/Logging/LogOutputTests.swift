import Foundation
import TestSupport
import Testing

@testable import Service

/// Who logs never waits for who reads.
@Suite struct LogOutputTests {
    /// A pipe that holds 4 KiB.
    private struct SmallPipe {
        let reading: FileHandle
        let writing: FileHandle

        /// `F_SETPIPE_SZ` of `<fcntl.h>`, which Swift does not see.
        private static let setSize: Int32 = 1031

        init() throws {
            let pipe = Pipe()
            (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
            try #require(fcntl(writing.fileDescriptor, Self.setSize, 4096) == 4096)
        }
    }

    private static func line(_ number: Int, _ length: Int = 100) -> [UInt8] {
        let start = Array("\(number) ".utf8)
        return start + [UInt8](repeating: UInt8(ascii: "x"), count: length - start.count - 1) + [UInt8(ascii: "\n")]
    }

    private static func numbers(_ text: Data) -> [Int] {
        text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            line.split(separator: UInt8(ascii: " ")).first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test("lines are written before the call returns while somebody reads")
    func atOnce() throws {
        let pipe = try SmallPipe()
        let output = LogOutput(pipe.writing.fileDescriptor)
        for number in 0..<1_000 {
            output.write(Self.line(number))
            let read = try pipe.reading.read(upToCount: 100)
            #expect(read == Data(Self.line(number)))
        }
    }

    @Test("nobody waits while nobody reads, and what waited comes whole and in order", arguments: [100, 5_000])
    func waiting(_ length: Int) async throws {
        let pipe = try SmallPipe()
        let output = LogOutput(pipe.writing.fileDescriptor)
        for number in 0..<200 { output.write(Self.line(number, length)) }
        output.flush()
        async let read = Self.text(of: pipe.reading)
        output.flush()
        try pipe.writing.close()
        let text = await read
        #expect(Self.numbers(text) == Array(0..<200))
        #expect(text.count == 200 * length)
    }

    @Test("when too much waits, lines are lost, and a line behind the others tells how many")
    func lost() async throws {
        let pipe = try SmallPipe()
        let output = LogOutput(pipe.writing.fileDescriptor)
        let count = 3_000
        for number in 0..<count { output.write(Self.line(number, 1_000)) }
        async let read = Self.text(of: pipe.reading)
        output.flush()
        output.write(Self.line(count))
        output.flush()
        try pipe.writing.close()
        let text = String(decoding: await read, as: UTF8.self)
        let kept = Self.numbers(Data(text.utf8))
        #expect(kept.last == count && kept.count > 1_000 && kept.count < count)
        #expect(kept == kept.sorted())
        // The reader may let some lines through between two losses.
        let lost = text.matches(of: #/"lines":"([0-9]+)"/#).compactMap { Int($0.1) }
        #expect(lost.reduce(0, +) == count + 1 - kept.count)
    }

    @Test("lines wait while the disk is full, and come whole and in order when it has room")
    func full() throws {
        let log = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = LogOutput(log.fileDescriptor)
        for number in 0..<100 { output.write(Self.line(number)) }
        output.flush()
        #expect(output.lostCount == 0)
        for number in 100..<2_000 { output.write(Self.line(number, 1_000)) }
        try TemporaryFolder.with { folder in
            let path = try folder.write("", to: "log")
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try #require(dup2(file.fileDescriptor, log.fileDescriptor) == log.fileDescriptor)
            output.flush()
            output.write(Self.line(2_000))
            output.flush()
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let kept = Self.numbers(Data(text.utf8))
            #expect(kept == kept.sorted() && kept.starts(with: 0..<1_000) && kept.last == 2_000)
            #expect(output.lostCount > 0 && kept.count + output.lostCount == 2_001)
            #expect(text.contains("lines of the log were lost"))
        }
    }

    @Test(
        "a descriptor that nobody reads any more, or that is closed, loses the lines and blocks no caller",
        .timeLimit(.minutes(1)))
    func broken() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try SmallPipe()
        let output = LogOutput(pipe.writing.fileDescriptor)
        try pipe.reading.close()
        for number in 0..<100 { output.write(Self.line(number, 5_000)) }
        output.flush()
        #expect(output.lostCount == 100)
        try pipe.writing.close()
        for number in 0..<100 { output.write(Self.line(number)) }
        output.flush()
    }

    /// Everything that comes until the writing end is closed.
    private static func text(of reading: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: (try? reading.readToEnd()) ?? Data()) }
        }
    }
}
