import TestSupport
import Testing

@testable import consentlink

@Suite struct InputFileTests {
    private func all(_ source: InputFile) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await source.next() { bytes += piece }
        return bytes
    }

    @Test("a file is read to its end, and its share is known", arguments: [0, 1, 64 << 10, 200_000])
    func file(_ count: Int) async throws {
        try await TemporaryFolder.with { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let source = try InputFile(path: try folder.write(bytes, to: "r"))
            #expect(source.size == count)
            #expect(source.share == (count == 0 ? 1 : 0))
            #expect(try await all(source) == bytes)
            #expect(source.share == 1)
            #expect(try await source.next() == nil, "the end stays the end")
        }
    }

    @Test("of a device neither the size nor the share is known")
    func device() async throws {
        let source = try InputFile(path: "/dev/null")
        #expect(source.size == nil)
        #expect(source.share == nil)
        #expect(try await all(source) == [])
    }

    @Test("what is not there, and a folder, is wrong usage")
    func unreadable() throws {
        try TemporaryFolder.with { folder in
            for (path, text) in [(folder.path(of: "r"), "No such file or directory"), (folder.path, "it is a folder")] {
                let failure = try #require(throws: CommandFailure.self) { try InputFile(path: path) }
                #expect(failure.exitCode == ExitStatus.usage)
                #expect(failure.description == "consentlink: cannot read \(path): \(text)")
            }
        }
    }
}
