import Foundation
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct FolderDiagnosisTests {
    func entries(_ folder: TemporaryFolder, now: Timestamp? = nil, data: String = "d") -> [DiagnosisEntry] {
        let present = Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
        return FolderDiagnosis(data: folder.path(of: data), backups: folder.path(of: "b"), now: now ?? present).entries
    }

    func made(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            _ = try DataFolderTask.make(at: folder.path(of: "d"))
            try body(folder)
        }
    }

    func remedies(_ entries: [DiagnosisEntry], _ subject: String) -> [String] {
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

    @Test("of a folder that cannot be reached it is not said that it is lost, which a backup would be restored after")
    func unreachable() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "d")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            let entries = entries(folder)
            #expect(entries.map(\.text) == ["the folder cannot be read: Too many levels of symbolic links"])
            let remedy = try #require(entries.first?.remedy)
            #expect(remedy.hasPrefix("Run this as the service's user, or as root, and see the rights of \(path)"))
            #expect(!remedy.contains("init") && !remedy.contains("backup"))
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

    @Test("a database with a damaged page is found while no service has the folder, and is not read while one has it")
    func damagedDatabase() throws {
        try made { folder in
            let sound = entries(folder).filter { $0.subject == "database" && $0.remedy == nil }
            #expect(sound.count == 2)
            let file = try FileHandle(forWritingTo: URL(filePath: folder.path(of: "d/consentlink.db")))
            try file.seek(toOffset: 5 * 4096)
            try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 4096))
            try file.close()
            let found = entries(folder).filter { $0.subject == "database" && $0.remedy != nil }
            #expect(found.count == 1)
            #expect(found.first?.text.hasPrefix("consentlink.db is damaged: ") == true)
            #expect(found.first?.remedy == "Restore the newest backup into an empty folder.")
            try whileInUse(folder.path(of: "d"), backups: folder.path(of: "b"))
        }
    }

    private func whileInUse(_ path: String, backups: String) throws {
        let lock = try FolderLock(in: path)
        lock.sign()
        let used = FolderDiagnosis(data: path, backups: backups, now: .noon)
        #expect(used.process == getpid())
        #expect(used.entries.allSatisfy { $0.subject != "database" })
        // It has the folder until here.
        lock.sign()
    }

    @Test("nothing is said of databases of a folder that a service took while they were read")
    func takenMeanwhile() throws {
        try made { folder in
            #expect(DatabaseFilesDiagnosis(folder: folder.path(of: "d")) { true }.entries.count == 2)
            #expect(DatabaseFilesDiagnosis(folder: folder.path(of: "d")) { false }.entries == [])
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

    @Test("a backup is old after a day and a half, and one that is not finished is none")
    func backups() throws {
        try made { folder in
            try FileManager.default.createDirectory(atPath: folder.path(of: "b"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: folder.path(of: "d"), toPath: folder.path(of: "b/\(NewestBackup.name(startedAt: .noon))"))
            for unfinished in ["b/.unfinished-2036-01-01T00-00-00.000Z", "b/notes"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: unfinished), withIntermediateDirectories: true)
            }
            let limit = Timestamp.noon + 36 * 3_600_000
            #expect(remedies(entries(folder, now: limit), "backup") == [])
            #expect(remedies(entries(folder, now: limit + 1), "backup").first?.contains("timer") == true)
            let told = entries(folder, now: limit).first { $0.subject == "backup" }
            #expect(told?.text == "the newest backup is of \(Timestamp.noon.rfc3339)")
        }
    }

    @Test("a damaged database of the newest backup is found while no service has the folder")
    func damagedBackup() throws {
        try made { folder in
            let backup = "b/\(NewestBackup.name(startedAt: .noon))"
            try FileManager.default.createDirectory(atPath: folder.path(of: "b"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: folder.path(of: "d"), toPath: folder.path(of: backup))
            let file = try FileHandle(forWritingTo: URL(filePath: folder.path(of: "\(backup)/consentlink.db")))
            try file.seek(toOffset: 5 * 4096)
            try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 4096))
            try file.close()
            let found = entries(folder, now: .noon).filter { $0.subject == "backup" && $0.remedy != nil }
            #expect(found.count == 1)
            #expect(found.first?.text.hasPrefix("consentlink.db of the newest backup is damaged: ") == true)
            let lock = try FolderLock(in: folder.path(of: "d"))
            lock.sign()
            #expect(remedies(entries(folder, now: .noon), "backup") == [])
            // It has the folder until here.
            lock.sign()
        }
    }

    @Test("an unfinished backup of any service is named once it is a day old")
    func unfinishedBackups() throws {
        try made { folder in
            var generator = SystemRandomNumberGenerator()
            let name = NewestBackup.name(startedAt: .noon)
            let names = [".unfinished-\(FolderID(using: &generator))-\(name)", ".unfinished-\(name)"].sorted()
            for name in names + [".unfinished-notes"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: "b/\(name)"), withIntermediateDirectories: true)
            }
            func told(_ now: Timestamp) -> [String] {
                entries(folder, now: now).filter { $0.subject == "backup" }.dropFirst().map(\.text)
            }
            #expect(told(.noon + 86_400_000) == [])
            let text = "was never finished, and holds recipients who were erased since it was begun"
            #expect(told(.noon + 86_400_001) == names.map { "\($0) \(text)" })
        }
    }

    @Test("a backup of a time that is to come, of another folder or without its files is not the newest")
    func otherBackups() throws {
        try made { folder in
            _ = try DataFolderTask.make(at: folder.path(of: "other"))
            try FileManager.default.createDirectory(atPath: folder.path(of: "b"), withIntermediateDirectories: true)
            func backUp(_ data: String, _ startedAt: Timestamp) throws -> String {
                let name = NewestBackup.name(startedAt: startedAt)
                try FileManager.default.copyItem(
                    atPath: folder.path(of: data), toPath: folder.path(of: "b/\(name)"))
                return name
            }
            _ = try backUp("other", .noon + -1000)
            let cut = try backUp("d", .noon + -2000)
            try FileManager.default.removeItem(atPath: folder.path(of: "b/\(cut)/operator.key"))
            let none = entries(folder, now: .noon).first { $0.subject == "backup" }
            #expect(none?.text.hasPrefix("there is no backup of this data folder") == true)
            _ = try backUp("d", .noon + -3000)
            let future = try backUp("d", .noon + 3_600_000)
            let told = entries(folder, now: .noon).filter { $0.subject == "backup" }
            #expect(
                told.map(\.text) == [
                    "the newest backup is of \((Timestamp.noon + -3000).rfc3339)",
                    "\(future) has a date in the future, and does not count",
                ])
            #expect(told[0].remedy == nil && told[1].remedy?.contains("timedatectl") == true)
            try FileManager.default.removeItem(
                atPath: folder.path(of: "b/\(NewestBackup.name(startedAt: .noon + -3000))"))
            let only = entries(folder, now: .noon).filter { $0.subject == "backup" }
            #expect(only.first?.text.hasPrefix("there is no backup with a date that has passed") == true)
            #expect(only.last?.remedy?.hasPrefix("Keep it for now.") == true, "it is the only one")
        }
    }

    @Test("of a folder for backups that cannot be read it is not said that it has none")
    func unreadableBackups() throws {
        try made { folder in
            try folder.write("a file", to: "b")
            let told = entries(folder).filter { $0.subject == "backup" }
            #expect(told.count == 1 && told[0].remedy != nil)
            let text = "the folder for backups \(folder.path(of: "b")) cannot be read: "
            #expect(told.first?.text.hasPrefix(text) == true)
        }
    }

    @Test("a folder that is being made, has no manifest, is empty or is none says so")
    func states() throws {
        try made { folder in
            let path = folder.path(of: "d/\(FolderFile.manifest)")
            var manifest = try FolderManifest(Array(folder.contents(of: "d/\(FolderFile.manifest)")))
            manifest.isComplete = false
            try Data(manifest.bytes).write(to: URL(filePath: path))
            func state(_ data: String = "d") -> String? { entries(folder, data: data).first?.text }
            #expect(state()?.hasSuffix("/d is being made; nothing was served from it yet") == true)
            try FileManager.default.removeItem(atPath: path)
            #expect(state()?.hasSuffix("/d has no manifest; a service that starts on it writes one") == true)
            let empty = folder.path(of: "e")
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
            #expect(state("e")?.hasSuffix("/e is empty") == true)
            try folder.write("text", to: "f")
            #expect(state("f")?.hasSuffix("/f cannot be used") == true)
        }
    }

    @Test("an unfinished file is told, but not while a service runs, which may be writing it")
    func leftovers() throws {
        try made { folder in
            try SecretFile(path: folder.path(of: "d/ledger.key.new")).write([1])
            func told() -> Bool {
                entries(folder).contains {
                    $0.text == "ledger.key.new is an unfinished file; the next start removes it"
                }
            }
            #expect(told())
            let lock = try FolderLock(in: folder.path(of: "d"))
            lock.sign()
            let diagnosis = FolderDiagnosis(data: folder.path(of: "d"), backups: folder.path(of: "b"), now: .noon)
            #expect(diagnosis.process == getpid(), "as the kernel tells")
            #expect(!told())
        }
    }

    @Test("a number in a lock that no process has is of a former one")
    func formerProcess() throws {
        try made { folder in
            try folder.write("\(getpid())\n", to: "d/lock")
            let diagnosis = FolderDiagnosis(data: folder.path(of: "d"), backups: folder.path(of: "b"), now: .noon)
            #expect(diagnosis.process == nil)
        }
    }
}
