import Foundation
import Identifiers
import LocalFiles
import SystemPackage
import TestSupport
import Testing
import UseCases

@testable import Service

/// Of which organizations a folder ever had a checkpoint.
@Suite struct CheckpointListTests {
    private let (acme, other, third): (OrganizationID, OrganizationID, OrganizationID)

    init() throws {
        (acme, other, third) = (try OrganizationID("acme"), try OrganizationID("other"), try OrganizationID("third"))
    }

    private func known(_ list: CheckpointList) throws -> [Bool] { try [acme, other, third].map(list.mayHave) }

    @Test("where it is not known, any of them may have been there")
    func unknown() throws {
        try TemporaryFolder.with { folder in
            let list = CheckpointList(in: folder.path)
            #expect(try known(list) == [true, true, true])
            try list.add(acme)
            #expect(try known(list) == [true, true, true], "one alone does not make it known")
        }
    }

    @Test("once it is made it knows those that it was made with and those that were added")
    func made() throws {
        try TemporaryFolder.with { folder in
            let list = CheckpointList(in: folder.path)
            try list.make([acme])
            #expect(try known(list) == [true, false, false])
            try list.add(other)
            #expect(try known(list) == [true, true, false])
            try list.make([])
            #expect(try known(list) == [true, true, false], "none is forgotten")
            #expect(FileStatus("\(folder.path)/organizations")?.mode == 0o600)
        }
    }

    @Test("a hundred thousand organizations have room in it, and a backup has them, too")
    func many() throws {
        try TemporaryFolder.with { folder in
            let many = try (0..<100_000).map { try OrganizationID("organization-\($0)") }
            let list = CheckpointList(in: folder.path)
            try list.make(Set(many))
            #expect(try list.mayHave(many[99_999]) && !list.mayHave(acme))
            try CheckpointFiles(folder: folder.path).copy(into: folder.path(of: "copy"))
            let copy = CheckpointList(in: folder.path(of: "copy"))
            #expect(try copy.mayHave(many[0]) && !copy.mayHave(acme))
        }
    }

    @Test("a line that was cut by a crash takes no other with it")
    func cut() throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder.path)/organizations"
            try SecretFile(path: path).write(Array("acme\n\noth".utf8))
            let list = CheckpointList(in: folder.path)
            try list.add(third)
            #expect(try known(list) == [true, false, true])
        }
    }

    @Test("a list that cannot be written is named by its place in the data folder")
    func unwritable() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "organizations"), withIntermediateDirectories: false)
            let error = DataFolderError.writing("checkpoints/organizations", failedWith: .isDirectory)
            #expect(throws: error) { try CheckpointList(in: folder.path).add(acme) }
        }
    }

    @Test("the first checkpoint of an organization puts it on the list")
    func written() async throws {
        try await TemporaryFolder.with { folder in
            let files = CheckpointFiles(folder: folder.path)
            try await files.write([1], of: acme)
            #expect(try await files.mayHaveHad(other), "nothing is known yet")
            try await files.remember([acme])
            #expect(try await !files.mayHaveHad(other))
            try await files.write([1], of: other)
            #expect(try await files.mayHaveHad(other))
            try FileManager.default.removeItem(atPath: "\(folder.path)/other.txt")
            #expect(try await files.mayHaveHad(other))
            #expect(try files.names() == ["acme"])
        }
    }

    @Test("a checkpoint without a place on the list is not written, and one that is tried again has its place")
    func unlisted() async throws {
        try await TemporaryFolder.with { folder in
            let files = CheckpointFiles(folder: folder.path)
            try await files.remember([acme])
            let (list, elsewhere) = (folder.path(of: CheckpointList.name), folder.path(of: "elsewhere"))
            try FileManager.default.moveItem(atPath: list, toPath: elsewhere)
            try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
            await #expect(throws: CheckpointArchiveFailure.self) { try await files.write([1], of: other) }
            #expect(try files.names() == [])
            try FileManager.default.removeItem(atPath: list)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: list)
            try await files.write([1], of: other)
            try FileManager.default.removeItem(atPath: "\(folder.path)/other.txt")
            #expect(try await files.mayHaveHad(other))
            #expect(try await !files.mayHaveHad(third))
        }
    }

    @Test("a checkpoint that cannot be written takes one line of the list, however often it is tried")
    func unwritten() async throws {
        try await TemporaryFolder.with { folder in
            let files = CheckpointFiles(folder: folder.path)
            try await files.remember([acme])
            let obstacle = "\(folder.path)/other.txt.new"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            for _ in 1...3 {
                await #expect(throws: CheckpointArchiveFailure.self) { try await files.write([1], of: other) }
            }
            let content = try String(contentsOfFile: folder.path(of: CheckpointList.name), encoding: .utf8)
            #expect(content == "acme\n\nother\n")
            try FileManager.default.removeItem(atPath: obstacle)
            try await files.write([1], of: other)
            #expect(try files.names() == ["other"])
        }
    }
}
