import TestSupport
import Testing

@testable import consentlink

@Suite struct UnfinishedFileTests {
    @Test("a file gets its name when it is whole, and is for its owner alone")
    func whole() throws {
        try TemporaryFolder.with { folder in
            do {
                let file = try UnfinishedFile(.init(for: folder.path(of: "x.tar")))
                try file.write([1, 2])
                try file.write([3])
                #expect(file.size == 3)
                #expect(!folder.contains("x.tar"))
                try file.finish()
            }
            #expect(try folder.files == ["x.tar"])
            #expect(try folder.text(of: "x.tar") == "\u{1}\u{2}\u{3}")
            #expect(try folder.permissions(of: "x.tar") == 0o600)
        }
    }

    @Test("a name may be as long as the file system takes it", arguments: ["x", "é", "👩‍👩‍👧"])
    func longest(_ character: Character) throws {
        try TemporaryFolder.with { folder in
            let size = String(character).utf8.count
            let name = String(repeating: character, count: 255 / size) + String(repeating: "y", count: 255 % size)
            let file = try UnfinishedFile(.init(for: folder.path(of: name)))
            try file.write([1])
            #expect(try folder.files.count == 1)
            try file.finish()
        }
    }

    @Test("one that was given up leaves nothing")
    func givenUp() throws {
        try TemporaryFolder.with { folder in
            do { try UnfinishedFile(.init(for: folder.path(of: "x.tar"))).write([1]) }
            #expect(try folder.files == [])
        }
    }

    @Test("it never takes the place of another, not even of one that came meanwhile")
    func taken() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "x.tar")
            let file = try UnfinishedFile(.init(for: path))
            try file.write([1])
            try folder.write("mine", to: "x.tar")
            let late = try #require(throws: CommandFailure.self) { try file.finish() }
            #expect(late.description == "consentlink: cannot write \(path): File exists")
            let early = try #require(throws: CommandFailure.self) { _ = try UnfinishedFile(.init(for: path)) }
            #expect(early.exitCode == ExitStatus.usage)
            #expect(early.description.hasSuffix("x.tar is there already"))
            #expect(try folder.text(of: "x.tar") == "mine")
        }
    }

    @Test("a folder that is not there is wrong usage")
    func nowhere() throws {
        try TemporaryFolder.with { folder in
            let failure = try #require(throws: CommandFailure.self) {
                _ = try UnfinishedFile(.init(for: folder.path(of: "nowhere/x.tar")))
            }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasSuffix("nowhere/x.tar: No such file or directory"))
        }
    }
}
