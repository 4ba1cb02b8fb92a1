import Glibc
import TestSupport
import Testing

@testable import consentlink

@Suite struct ExclusiveRenameTests {
    private static func none(_ code: CInt) -> ExclusiveRename.Way { { _, _ in code } }

    /// All of them, and what is left where a file system has no hard links.
    private static let ways: [[ExclusiveRename.Way]] = [
        ExclusiveRename.ways, [none(EPERM), ExclusiveRename.replacingOwn],
        [none(EOPNOTSUPP), ExclusiveRename.replacingOwn],
    ]

    @Test("a file gets its name, also where there are no hard links", arguments: ways.indices)
    func named(_ index: Int) throws {
        try TemporaryFolder.with { folder in
            let unfinished = try folder.write("archive", to: "x.unfinished")
            #expect(ExclusiveRename.run(unfinished, folder.path(of: "x"), by: Self.ways[index]) == 0)
            #expect(try folder.text(of: "x") == "archive")
        }
    }

    @Test("it never takes the place of another, and a link that leads nowhere is one", arguments: ways.indices)
    func taken(_ index: Int) throws {
        try TemporaryFolder.with { folder in
            let unfinished = try folder.write("archive", to: "x.unfinished")
            let other = try folder.write("other", to: "other")
            #expect(symlink("nowhere", folder.path(of: "link")) == 0)
            for name in [other, folder.path(of: "link")] {
                #expect(ExclusiveRename.run(unfinished, name, by: Self.ways[index]) == EEXIST)
            }
            #expect(try folder.text(of: "other") == "other")
            #expect(try folder.text(of: "x.unfinished") == "archive")
            #expect(!folder.contains("nowhere"))
        }
    }

    @Test("another error is told, and nothing else is tried")
    func failed() throws {
        let code = ExclusiveRename.run("a", "b", by: [Self.none(ENOSPC), Self.none(0)])
        #expect(code == ENOSPC)
        #expect(ExclusiveRename.run("a", "b", by: [Self.none(EPERM), Self.none(EROFS)]) == EROFS)
    }
}
