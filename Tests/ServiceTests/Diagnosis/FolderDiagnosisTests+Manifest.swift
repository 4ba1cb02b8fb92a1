import TestSupport
import Testing

@testable import Service

/// What the manifest says of the folder.
extension FolderDiagnosisTests {
    @Test("a backup that is in the folder's place is a finding until a service has started on it")
    func restored() throws {
        try made { folder in
            var manifest = try #require(try FolderManifest.read(in: folder.path(of: "d")))
            manifest.isBackup = true
            try SecretFile(path: folder.path(of: "d/manifest.json")).write(manifest.bytes)
            let told = entries(folder).filter { $0.subject == "folder" && $0.remedy != nil }
            #expect(told.count == 1)
            #expect(told.first?.text.contains("it is a backup on which no service has started yet") == true)
            _ = try DataFolder(at: folder.path(of: "d"), now: .noon)
            #expect(remedies(entries(folder), "folder") == [])
        }
    }

    @Test("a move that is not done has a remedy, and so has one that is not known everywhere")
    func move() throws {
        try made { folder in
            var manifest = try #require(try FolderManifest.read(in: folder.path(of: "d")))
            func told() -> [String] { remedies(entries(folder), "folder") }
            #expect(told() == [])
            manifest.begin(FolderMigration(from: "sqlite", to: "postgres:///links", passwordFile: nil, isDone: false))
            try manifest.write(in: folder.path(of: "d"))
            #expect(told().count == 1)
            #expect(told().first?.contains("consentlink migrate --abandon") == true)
            manifest.endMove()
            try manifest.write(in: folder.path(of: "d"))
            #expect(told().contains { $0.hasSuffix("or start the service once more.") })
            manifest.completeMove()
            try manifest.write(in: folder.path(of: "d"))
            #expect(told() == [])
        }
    }
}
