import TestSupport
import Testing

@testable import consentlink

@Suite struct ErrorFileTests {
    private let errors = [RefusedRow(lines: 2...2, reason: "a \"b\""), .init(lines: 31...34, reason: "/state ü")]
    private let lines = """
        {"line":2,"lastLine":2,"reason":"a \\"b\\""}
        {"line":31,"lastLine":34,"reason":"/state ü"}

        """

    @Test("there is no file until there is an error, and then it is a JSON line each, for its owner alone")
    func made() throws {
        try TemporaryFolder.with { folder in
            var file = try ErrorFile(path: folder.path(of: "e"), resumingAt: 0)
            try file.write([])
            #expect(try folder.files == [])
            try file.write(errors)
            #expect(try folder.text(of: "e") == lines)
            #expect(file.size == lines.utf8.count)
            #expect(try folder.permissions(of: "e") == 0o600)
            try file.write([.init(lines: 40...40, reason: "")])
            #expect(try folder.text(of: "e") == lines + "{\"line\":40,\"lastLine\":40,\"reason\":\"\"}\n")
        }
    }

    @Test("what an ended run wrote for a batch that it did not finish is cut off")
    func resumed() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(lines + "{\"line\":99", to: "e")
            var file = try ErrorFile(path: path, resumingAt: lines.utf8.count)
            #expect(try folder.text(of: "e") == lines)
            try file.write([.init(lines: 40...40, reason: "x")])
            #expect(try folder.text(of: "e") == lines + "{\"line\":40,\"lastLine\":40,\"reason\":\"x\"}\n")
        }
    }

    @Test("a file with something in it is not written over by an import that begins")
    func taken() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("mine", to: "e")
            let failure = try #require(throws: CommandFailure.self) { _ = try ErrorFile(path: path, resumingAt: 0) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasSuffix("has something in it; name another file with --errors"))
            #expect(try folder.text(of: "e") == "mine")
            var empty = try ErrorFile(path: try folder.write("", to: "f"), resumingAt: 0)
            try empty.write([.init(lines: 1...1, reason: "x")])
            #expect(try folder.text(of: "f") == "{\"line\":1,\"lastLine\":1,\"reason\":\"x\"}\n")
        }
    }

    @Test("errors of earlier rows that are gone or cut are noticed")
    func gone() throws {
        try TemporaryFolder.with { folder in
            let gone = try #require(throws: CommandFailure.self) {
                _ = try ErrorFile(path: folder.path(of: "e"), resumingAt: 5)
            }
            #expect(gone.description.contains("is gone, which has the errors of the rows before; "))
            let path = try folder.write("1234", to: "e")
            let short = try #require(throws: CommandFailure.self) { _ = try ErrorFile(path: path, resumingAt: 5) }
            #expect(short.description.hasSuffix("is shorter than it was left"))
            #expect(try folder.text(of: "e") == "1234")
        }
    }

    @Test("of the first batch with errors, too, what was written is cut off, but of that file alone")
    func first() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(lines + "{\"line\":99", to: "e")
            let place = try ErrorFile(path: folder.path(of: "f"), resumingAt: 0).place
            let failure = try #require(throws: CommandFailure.self) {
                _ = try ErrorFile(path: path, resumingAt: 0, of: place)
            }
            #expect(failure.description.hasSuffix("has something in it; name another file with --errors"))
            #expect(try folder.text(of: "e").hasPrefix(lines))
            var file = try ErrorFile(path: path, resumingAt: 0, of: ResolvedPath(path).path)
            #expect(try folder.text(of: "e") == "")
            try file.write(errors)
            #expect(try folder.text(of: "e") == lines)
        }
    }

    @Test("once an import is whole, its file may be dealt with: what is left of it is gone on with")
    func whole() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "e")
            let place = ResolvedPath(path).path
            for left in [nil, "", "1", lines + lines] as [String?] {
                if let left { try folder.write(left, to: "e") }
                var file = try ErrorFile(path: path, resumingAt: lines.utf8.count, of: place, isWhole: true)
                try file.write(errors)
                #expect(try folder.text(of: "e") == (left ?? "") + lines)
                #expect(file.size == (left ?? "").utf8.count + lines.utf8.count)
            }
            let other = try ErrorFile(path: folder.path(of: "f"), resumingAt: lines.utf8.count, of: place)
            #expect(other.size == 0, "another file gets the errors of the rest")
        }
    }

    @Test("a file that cannot be made is said")
    func unwritable() throws {
        try TemporaryFolder.with { folder in
            var file = try ErrorFile(path: folder.path(of: "nowhere/e"), resumingAt: 0)
            do throws(CommandFailure) {
                try file.write(errors)
                Issue.record("it was written")
            } catch {
                #expect(error.description.hasSuffix("nowhere/e: No such file or directory"))
            }
        }
    }
}
