import GRDB
import SQL
import TestSupport

@testable import SQLiteFiles

/// A file with one table that takes values of every type, in a folder of its own.
struct SmallFile {
    static let name = "small.db"
    static let schema = Schema(versions: [
        FolderIDTable.schema, "CREATE TABLE items (id INTEGER PRIMARY KEY, content ANY) STRICT",
    ])
    static let limits = DatabaseFile.Limits(checkpointPages: 100, readers: 2, cacheKibibytes: 1024)

    let folder: TemporaryFolder
    let file: DatabaseFile

    var path: String { folder.path(of: Self.name) }

    /// Opens the file of `folder`, and makes it where there is none.
    init(in folder: TemporaryFolder, schema: Schema = schema) throws {
        self.folder = folder
        file = try DatabaseFile(path: folder.path(of: Self.name), schema: schema, limits: Self.limits)
    }

    static func with<Result>(_ body: (SmallFile) throws -> Result) throws -> Result {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            defer { try? small.file.close() }
            return try body(small)
        }
    }

    static func with<Result>(_ body: (SmallFile) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            let result = try await body(small)
            try? small.file.close()
            return result
        }
    }

    /// Runs `body` on the connection that writes.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try file.writer.writeWithoutTransaction(body)
    }

    /// Inserts items in one commit.
    /// - Throws: ``StorageError``; then there is none of them.
    func insert(_ ids: ClosedRange<Int>, bytes: Int = 10) throws {
        do {
            try file.writer.write { db in
                for id in ids {
                    try db.statement("INSERT INTO items VALUES (?, ?)").run(id, [UInt8](repeating: 7, count: bytes))
                }
            }
        } catch {
            throw StorageError.translating(error)
        }
    }

    /// How many items a connection that reads sees.
    var count: Int {
        get throws {
            try file.readers.readNow { db in
                Int(try db.statement("SELECT count(*) FROM items").first { $0.integer(0) } ?? -1)
            }
        }
    }
}
