import Foundation
import Glibc
import Identifiers
import LocalFiles
import SystemPackage
import TestSupport
import Testing

@testable import Service

/// What was lost from a data folder, or done to it, is found before anything is changed.
@Suite struct FolderInspectionTests {
    enum Change: CaseIterable, Sendable {
        case lost, emptied, cut, linked, secondName, folder, pipe, open, foreign

        func make(of file: String, in made: MadeFolder, other: MadeFolder) throws {
            let (files, path, aside) = (FileManager.default, made.path(of: file), made.path + "-aside")
            switch self {
            case .lost: try made.remove(file)
            case .emptied: try made.write([], to: file)
            case .cut: try made.write(Array(made.bytes(of: file).dropLast(10)), to: file)
            case .linked:
                try files.moveItem(atPath: path, toPath: aside)
                try files.createSymbolicLink(atPath: path, withDestinationPath: aside)
            case .secondName: try files.linkItem(atPath: path, toPath: aside)
            case .folder:
                try made.remove(file)
                try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .pipe:
                try made.remove(file)
                #expect(mkfifo(path, 0o600) == 0)
            case .open: #expect(chmod(path, 0o640) == 0)
            case .foreign: try made.write(other.bytes(of: file), to: file)
            }
        }

        /// `nil` where the file alone does not tell.
        func fault(of file: String) -> FolderFinding.Fault? {
            switch self {
            case .lost: .missing
            case .emptied: .empty
            case .cut: .damaged
            case .linked: .symbolicLink
            case .secondName: .hardLink
            case .folder, .pipe: .notAFile
            case .open: .open(0o640)
            case .foreign: ["consentlink.db", "spool.db", "keyring.json"].contains(file) ? .foreign : nil
            }
        }
    }

    @Test(
        "every change of every file is found, named, and the only finding; nothing is changed by it",
        arguments: Change.allCases)
    func changes(_ change: Change) throws {
        try MadeFolder.with { other in
            try MadeFolder.with { whole in
                for file in FolderManifest.files {
                    let made = try whole.copied()
                    try change.make(of: file, in: made, other: other)
                    let expected = [change.fault(of: file).map { FolderFinding(file, $0) }].compactMap(\.self)
                    let before = try made.state
                    #expect(try FolderInspection(of: made.path).findings == expected, "\(file)")
                    guard !expected.isEmpty else { continue }
                    #expect(throws: DataFolderError.unusable(expected)) { try made.open() }
                    #expect(try made.state == before)
                }
            }
        }
    }

    @Test("a manifest that is not as it was made is a finding; one that is lost alone is not")
    func manifest() throws {
        try MadeFolder.with { whole in
            for change in Change.allCases where change != .foreign {
                let made = try whole.copied()
                try change.make(of: FolderFile.manifest, in: made, other: made)
                let inspection = try FolderInspection(of: made.path)
                switch change {
                case .lost:
                    #expect(inspection.findings == [] && inspection.state == .unmarked(made.id))
                case .emptied, .cut:
                    #expect(inspection.findings == [FolderFinding(FolderFile.manifest, .damaged)])
                default:
                    let fault = try #require(change.fault(of: FolderFile.manifest))
                    #expect(inspection.findings == [FolderFinding(FolderFile.manifest, fault)])
                }
            }
        }
    }

    @Test("with the manifest of another folder nothing belongs to it that says whose it is")
    func foreignManifest() throws {
        try MadeFolder.with { other in
            try MadeFolder.with { made in
                try Change.foreign.make(of: FolderFile.manifest, in: made, other: other)
                let findings = try FolderInspection(of: made.path).findings
                #expect(findings.map(\.file).sorted() == ["consentlink.db", "keyring.json", "spool.db"])
                #expect(findings.allSatisfy { $0.fault == .foreign })
            }
        }
    }

    @Test("every fault is told at once")
    func several() throws {
        try MadeFolder.with { made in
            try made.remove("erasure.key")
            try made.write([1], to: "ledger.key")
            #expect(chmod(made.path, 0o755) == 0)
            #expect(
                try FolderInspection(of: made.path).findings == [
                    FolderFinding(FolderFinding.folder, .open(0o755)), FolderFinding("erasure.key", .missing),
                    FolderFinding("ledger.key", .damaged),
                ])
        }
    }

    @Test(
        "a file that need not be there is the service's own if it is there",
        arguments: ["lock", "node.json", "cluster.key", "mirror.db", "mirror.db-wal", "spool.db-journal"])
    func companions(_ file: String) throws {
        try MadeFolder.with { made in
            #expect(try FolderInspection(of: made.path).findings == [])
            try? made.remove(file)
            try made.write([1], to: file)
            #expect(chmod("\(made.path)/\(file)", 0o604) == 0)
            #expect(try FolderInspection(of: made.path).findings == [FolderFinding(file, .open(0o604))])
            try made.remove(file)
            #expect(symlink("/etc/hostname", "\(made.path)/\(file)") == 0)
            #expect(try FolderInspection(of: made.path).findings.map(\.file) == [file])
        }
    }

    @Test(
        "a folder, and a file that the service writes into, is of no use if its owner may not write it",
        arguments: [
            ("", 0o500), ("checkpoints", 0o600), ("consentlink.db", 0o400), ("spool.db", 0o400),
            ("spool.db-wal", 0o400), ("lock", 0o400), ("checkpoints/organizations", 0o400),
        ] as [(String, UInt32)])
    func closedToOwner(_ place: String, _ mode: UInt32) throws {
        try MadeFolder.with { made in
            let owner = try Self.give(made, having: place)
            let path = made.path(of: place)
            #expect(chmod(path, mode) == 0)
            defer { _ = chmod(path, 0o700) }
            let file = place.isEmpty ? FolderFinding.folder : place
            #expect(
                try FolderInspection(of: made.path, owner: owner).findings == [
                    FolderFinding(file, .closedToOwner(mode))
                ])
        }
    }

    @Test("a file that is only read or replaced may be closed to its owner's writing", arguments: FolderFile.secrets)
    func onlyRead(_ file: String) throws {
        try MadeFolder.with { made in
            let owner = try Self.give(made, having: file)
            #expect(chmod(made.path(of: file), 0o400) == 0)
            #expect(try FolderInspection(of: made.path, owner: owner).findings == [])
        }
    }

    @Test("permissions do not limit root, so they are no finding where root owns the folder")
    func closedToRoot() throws {
        for type in [FileType.regular, .directory] {
            let status = try #require(FileStatus(type == .regular ? "/etc/passwd" : "/etc"))
            #expect(status.owner == 0)
            #expect(
                status.faults(expecting: type, owner: 0, isWritten: true).allSatisfy {
                    if case .closedToOwner = $0 { false } else { true }
                })
        }
    }

    /// Gives the folder to a user who is not root, with a file or folder in it.
    /// - Returns: the user.
    private static func give(_ made: MadeFolder, having place: String) throws -> UInt32 {
        if !made.has(place) {
            if place.hasPrefix(FolderFile.checkpoints), !made.has(FolderFile.checkpoints) {
                try FileManager.default.createDirectory(
                    atPath: made.path(of: FolderFile.checkpoints), withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
            }
            if place != FolderFile.checkpoints { try made.write([], to: place) }
        }
        guard geteuid() == 0 else { return geteuid() }
        for file in [""] + (try FileManager.default.subpathsOfDirectory(atPath: made.path)) {
            #expect(chown(made.path(of: file), 1000, 1000) == 0)
        }
        return 1000
    }

    @Test("a folder of another user is one finding, and its manifest is not believed")
    func otherOwner() throws {
        try MadeFolder.with { made in
            let (me, other) = (geteuid(), geteuid() + 1)
            let inspection = try FolderInspection(of: made.path, owner: other)
            #expect(inspection.state == .unknown)
            #expect(
                inspection.findings == [FolderFinding(FolderFinding.folder, .otherOwner(me, expected: other))])
        }
    }

    @Test(
        "no folder, an empty one, and one with what a file system puts there are empty", arguments: ["", "lost+found"])
    func empty(_ content: String) throws {
        try TemporaryFolder.with { folder in
            #expect(try FolderInspection(of: folder.path(of: "nothing")).state == .empty)
            if !content.isEmpty { try folder.write("", to: content) }
            let inspection = try FolderInspection(of: folder.path)
            #expect(inspection.state == .empty && inspection.findings == [])
        }
    }

    @Test("a lock that was signed is left of a folder that was used: all the rest is lost; an unsigned one is nothing")
    func lockAlone() throws {
        try TemporaryFolder.with { folder in
            #expect(chmod(folder.path, 0o700) == 0)
            let lock = try FolderLock(in: folder.path)
            #expect(try FolderInspection(of: folder.path).state == .empty)
            lock.sign()
            let findings = try FolderInspection(of: folder.path).findings
            #expect(Set(findings) == Set(FolderManifest.files.map { FolderFinding($0, .missing) }))
        }
    }

    @Test("what cannot be read now is told as such, and is no finding")
    func unread() throws {
        try MadeFolder.with { made in
            // The system follows no more than 40 links in a path.
            let loop = made.beside.path(of: "loop")
            #expect(symlink(loop, loop) == 0)
            let error = DataFolderError.reading(FolderFinding.folder, failedWith: .tooManySymbolicLinkLevels)
            #expect(throws: error) { try FolderInspection(of: loop) }
            let full = DataFolderError.reading("spool.db", failedWith: .tooManyOpenFiles)
            #expect(full == .tooManyFiles && full.isTransient)
        }
    }

    @Test("what is no data folder is left alone")
    func otherThings() throws {
        try TemporaryFolder.with { folder in
            try folder.write("dear diary", to: "diary.txt")
            let notOurs = DataFolderError.unusable(FolderFinding.folder, .notADataFolder)
            #expect(throws: notOurs) { _ = try DataFolder(at: folder.path, now: .noon) }
            let noFolder = DataFolderError.unusable(FolderFinding.folder, .notAFolder)
            #expect(throws: noFolder) { _ = try DataFolder(at: folder.path(of: "diary.txt"), now: .noon) }
            #expect(try folder.files == ["diary.txt"])
        }
    }

    @Test("an unfinished file of a process that was killed is removed and told; one that was planted is a finding")
    func leftovers() throws {
        try MadeFolder.with { made in
            try FileManager.default.createDirectory(
                atPath: made.path(of: "checkpoints"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            let own = ["keyring.json.new", "checkpoints/acme.txt.new"]
            for file in own { try made.write([1], to: file) }
            #expect(try made.open() == ["checkpoints/acme.txt.new", "keyring.json.new"].map { .removedLeftover($0) })
            for file in own {
                try made.write([1], to: file)
                #expect(chmod(made.path(of: file), 0o644) == 0)
                #expect(throws: DataFolderError.unusable(file, .planted)) { try made.open() }
                #expect(try made.bytes(of: file) == [1])
                try made.remove(file)
            }
        }
    }

    @Test("checkpoints that others can write, or that lie elsewhere, are findings")
    func checkpoints() throws {
        try MadeFolder.with { made in
            let folder = made.path(of: "checkpoints")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(chmod(folder, 0o770) == 0)
            #expect(try FolderInspection(of: made.path).findings == [FolderFinding("checkpoints", .open(0o770))])
            #expect(chmod(folder, 0o700) == 0)
            try made.write([1], to: "checkpoints/acme.txt")
            try made.write([1], to: "checkpoints/notes.md")
            #expect(chmod(made.path(of: "checkpoints/acme.txt"), 0o666) == 0)
            #expect(chmod(made.path(of: "checkpoints/notes.md"), 0o666) == 0)
            let open = FolderFinding("checkpoints/acme.txt", .open(0o666))
            #expect(try FolderInspection(of: made.path).findings == [open], "other files are not the service's")
            try made.remove("checkpoints")
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: made.beside.path)
            #expect(try FolderInspection(of: made.path).findings == [FolderFinding("checkpoints", .symbolicLink)])
        }
    }
}
