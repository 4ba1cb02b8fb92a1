import Identifiers
import StubService
import TestSupport
import Testing

@testable import Service
@testable import consentlink

/// The doctor on a folder whose storage was moved.
@Suite struct MovedFolderTests {
    @Test("it looks where a start would, and says what to set", arguments: [true, false])
    func moved(_ isDone: Bool) async throws {
        try await TemporaryFolder.with { folder in
            #expect(try await CommandRun.of(["init", "--data", "d"], environment: [:], in: folder).status == 0)
            let name = "d/\(FolderFile.manifest)"
            var manifest = try FolderManifest(Array(try folder.contents(of: name)))
            // Nothing is there.
            manifest.begin(
                FolderMigration(from: "sqlite", to: "postgres://127.0.0.1:1/links", passwordFile: nil, isDone: false))
            if isDone { manifest.endMove() }
            try folder.write(manifest.bytes, to: name)
            let api = try await StubServer.nowhere()
            let done = try await CommandRun.of(["doctor", "--data", "d", "--api", api], environment: [:], in: folder)
            #expect(done.status == 1)
            #expect(!done.output.contains("it was made for"))
            #expect(done.output.contains("Set storage to postgres://127.0.0.1:1/links.") == isDone)
            #expect(done.output.contains("!!   database: ") == isDone)
        }
    }
}
