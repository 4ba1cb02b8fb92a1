import StoragePorts
import TestSupport
import Testing

/// What everything promises that is copied while it is in use.
package enum BackupSourceContract {
    private struct Enough: Error {}

    package static let promises: [ContractPromise<BackupSourceUnderTest>] = [
        .init("a copy has what was written before it was asked for, and the next has what came after it, too") { used in
            let names = ["name-one", "name-two", "name-three"]
            try await used.write(names[0])
            try await used.write(names[1])
            let first = try TemporaryFolder()
            let second = try TemporaryFolder()
            defer { for folder in [first, second] { folder.remove() } }
            try await used.source.copy(into: first.path) {}
            try await used.write(names[2])
            try await used.source.copy(into: second.path) {}
            #expect(try await used.read(names, first) == Array(names.prefix(2)))
            #expect(try await used.read(names, second) == names)
        },
        .init("no file of a copy holds a byte of what was erased before, and all that was not is there") { used in
            let names = ["name-of-the-erased", "name-of-another"]
            for name in names { try await used.write(name) }
            try await used.erase(names[0])
            try await TemporaryFolder.with { folder in
                try await used.source.copy(into: folder.path) {}
                #expect(try folder.filesContaining(names[0]) == [])
                #expect(try await used.read(names, folder) == [names[1]])
            }
        },
        .init("erasures are counted before their call returns, and nothing else is") { used in
            let before = used.source.erasures
            try await used.write("name-one")
            try await TemporaryFolder.with { folder in try await used.source.copy(into: folder.path) {} }
            #expect(used.source.erasures == before)
            try await used.erase("name-one")
            let after = used.source.erasures
            #expect(after > before)
            try await used.write("name-one")
            try await used.erase("name-one")
            #expect(used.source.erasures > after)
        },
        .init("a copy ends when it is told to, and what it was made of can be written and copied as before") { used in
            try await used.write("name-one")
            try await TemporaryFolder.with { folder in
                _ = await #expect(throws: Enough.self) {
                    try await used.source.copy(into: folder.path) { throw Enough() }
                }
            }
            try await used.write("name-two")
            try await TemporaryFolder.with { folder in
                try await used.source.copy(into: folder.path) {}
                #expect(try await used.read(["name-one", "name-two"], folder) == ["name-one", "name-two"])
            }
        },
    ]
}
