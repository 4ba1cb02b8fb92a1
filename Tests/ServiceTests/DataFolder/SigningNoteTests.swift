import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct SigningNoteTests {
    private let acme: OrganizationID
    private let globex: OrganizationID

    init() throws { (acme, globex) = (try OrganizationID("acme"), try OrganizationID("globex")) }

    private func withNote(_ body: (TemporaryFolder, SigningNote) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try Data("1\nserving\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/lock"))
            try body(folder, SigningNote(in: folder.path))
        }
    }

    @Test("what was signed when a process ended is read by the next one")
    func kept() throws {
        try withNote { _, note in
            try note.write(whole: [acme: 57, globex: 3], closed: [:])
            #expect(try note.read().sizes == [acme: 57, globex: 3])
        }
    }

    @Test("once another process has signed the lock file, what was whole counts no more, and what was closed does")
    func otherProcess() throws {
        try withNote { folder, note in
            try note.write(whole: [acme: 57], closed: [globex: 3])
            #expect(try note.read().sizes == [acme: 57, globex: 3])
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 5)], ofItemAtPath: "\(folder.path)/lock")
            #expect(try note.read().sizes == [globex: 3])
        }
    }

    @Test("a ledger that an earlier start closed keeps the number of its entries, whatever was whole at the end")
    func closedAndWhole() throws {
        try withNote { _, note in
            try note.write(whole: [acme: 57, globex: 3], closed: [acme: 40])
            #expect(try note.read().sizes == [acme: 40, globex: 3])
            #expect(try note.read().organizations == [acme, globex])
        }
    }

    @Test("the organizations that there were are known, whatever was signed of them")
    func organizations() throws {
        try withNote { folder, note in
            #expect(try note.read().organizations == nil)
            let other = try OrganizationID("initech")
            try note.write(whole: [acme: 57], closed: [globex: 3], others: [other])
            #expect(try note.read().sizes == [acme: 57, globex: 3])
            #expect(try note.read().organizations == [acme, globex, other])
            try note.write(whole: [acme: 57], closed: [:])
            #expect(try note.read().organizations == [acme])
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 5)], ofItemAtPath: "\(folder.path)/lock")
            #expect(try note.read().organizations == nil)
        }
    }

    @Test("a note of a version that did not name them does not say which organizations there were")
    func earlierVersion() throws {
        try withNote { folder, note in
            try note.write(whole: [acme: 57], closed: [:])
            let path = "\(folder.path)/signed.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let earlier = text.replacing(#","others":[]"#, with: "")
            #expect(earlier != text)
            try Data(earlier.utf8).write(to: URL(fileURLWithPath: path))
            #expect(try note.read().sizes == [acme: 57])
            #expect(try note.read().organizations == nil)
        }
    }

    @Test("a process that has nothing to note leaves no note")
    func removed() throws {
        try withNote { folder, note in
            try note.write(closed: [:])
            try note.write(whole: [acme: 57], closed: [:])
            try note.write(closed: [acme: 57])
            #expect(try note.read().sizes == [acme: 57])
            try note.write(closed: [:])
            #expect(try note.read().sizes == [:])
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/signed.json"))
        }
    }

    @Test(
        "what is no note says nothing",
        arguments: ["", "{", "[]", #"{"whole":{"acme":57}}"#, #"{"lock":1,"whole":{"acme":57}}"#, #"{"closed":7}"#])
    func damaged(_ text: String) throws {
        try withNote { folder, note in
            let path = "\(folder.path)/signed.json"
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            #expect(try note.read().sizes == [:])
            try note.write(closed: [:])
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("a note that cannot be read now is not taken for one that is missing")
    func unread() throws {
        try withNote { folder, _ in
            // The lock is a file, so nothing can be opened below it, and that is not because there is nothing.
            let note = SigningNote(in: "\(folder.path)/lock")
            #expect(throws: DataFolderError.cannotRead("signed.json", because: "Not a directory")) { try note.read() }
            #expect(throws: DataFolderError.self) { try NodeFile(in: "\(folder.path)/lock").sealedDatabase }
        }
    }

    @Test("a hundred thousand organizations have room in it")
    func many() throws {
        try withNote { _, note in
            let sizes = try Dictionary(
                uniqueKeysWithValues: (0..<100_000).map { (try OrganizationID("organization-\($0)"), UInt64($0)) })
            try note.write(whole: sizes, closed: [:])
            #expect(try note.read().sizes == sizes)
        }
    }
}
