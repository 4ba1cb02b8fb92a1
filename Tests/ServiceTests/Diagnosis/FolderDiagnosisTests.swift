import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct FolderDiagnosisTests {
    private func entries(_ folder: TemporaryFolder, now: Timestamp? = nil, data: String = "d") -> [DiagnosisEntry] {
        let present = Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
        return FolderDiagnosis(data: folder.path(of: data), backups: folder.path(of: "b"), now: now ?? present).entries
    }

    private func made(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            _ = try DataFolderTask.make(at: folder.path(of: "d"))
            try body(folder)
        }
    }

    private func remedies(_ entries: [DiagnosisEntry], _ subject: String) -> [String] {
        entries.filter { $0.subject == subject }.compactMap(\.remedy)
    }

    @Test("of a folder that is not there it is said that it is lost, and nothing is made")
    func missing() throws {
        try TemporaryFolder.with { folder in
            let entries = entries(folder)
            #expect(entries.map(\.subject) == ["folder"])
            #expect(entries[0].text.hasSuffix("/d does not exist"))
            #expect(entries[0].remedy?.contains("consentlink init --data") == true)
            let files = try folder.files
            #expect(files == [])
        }
    }

    @Test("a folder that was just made lacks a backup and nothing else")
    func fresh() throws {
        try made { folder in
            let entries = entries(folder)
            #expect(remedies(entries, "folder") == [])
            #expect(remedies(entries, "clock") == [])
            #expect(remedies(entries, "backup").count == 1)
            #expect(entries.contains { $0.subject == "folder" && $0.text.contains(", id ") })
            #expect(entries.contains { $0.subject == "size" && $0.text.hasPrefix("spool.db has ") })
            #expect(entries.contains { $0.subject == "disk" && $0.text.hasSuffix("bytes are free for data") })
        }
    }

    @Test("each file that is gone, emptied or opened to others is found, and named without its folder")
    func damaged() throws {
        for file in ["operator.key", "keyring.json", "erasure.key", "ledger.key"] {
            try made { folder in
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644], ofItemAtPath: folder.path(of: "d/\(file)"))
                let open = entries(folder).filter { $0.subject == "folder" && $0.remedy != nil }
                #expect(open.map(\.text) == ["\(file) is open to other users (mode 0644)"])
                try FileManager.default.removeItem(atPath: folder.path(of: "d/\(file)"))
                let gone = entries(folder).filter { $0.subject == "folder" && $0.remedy != nil }
                #expect(gone.map(\.text) == ["\(file) is missing"])
            }
        }
    }

    @Test("a clock that has gone back is told by the files, with two seconds of grace")
    func clock() throws {
        try made { folder in
            let path = folder.path(of: "d/operator.key")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 2_000_000_000)], ofItemAtPath: path)
            let changed = Timestamp(secondsSince1970: 2_000_000_000)
            #expect(remedies(entries(folder, now: changed + -2000), "clock") == [])
            let back = entries(folder, now: changed + -2001)
            #expect(remedies(back, "clock").first?.contains("NTP") == true)
            #expect(back.contains { $0.text.contains("was changed at \(changed.rfc3339)") })
        }
    }

    @Test("looking changes nothing in the folder")
    func unchanged() throws {
        try made { folder in
            func state() throws -> [String] {
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
                    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: name))
                    return "\(name) \(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? 0)"
                }
            }
            let before = try state()
            _ = entries(folder)
            #expect(try state() == before)
        }
    }
}
