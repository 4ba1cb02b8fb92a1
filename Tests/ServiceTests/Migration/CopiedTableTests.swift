import Cryptography
import Foundation
import PostgresClient
import PostgresServer
import PostgresStorage
import SQL
import SQLiteStorage
import TestSupport
import Testing

@testable import SQLStorage
@testable import Service

/// What is copied from one storage to the other is everything.
@Suite struct CopiedTableTests {
    @Test("every table is copied or left out, and has the same columns on both engines")
    func tables() async throws {
        let folder = try TemporaryFolder()
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        let file = try SQLiteStorage.open(
            folder: folder.path, erasureKey: key, ledgerHost: "links.example", observer: NoRuleObserver(),
            clock: { .noon })
        defer { try? file.close() }
        let location = try PostgresServer.shared.makeDatabase()
        let settings = PostgresSettings(location: location, password: nil, durability: .local)
        _ = try await PostgresSchema.migrate(settings)
        let server = PostgresReading(settings, erasureKey: key)
        defer { server.close() }

        let (names, tables) = try await file.stores.database.read { db in
            (
                try db.statement("SELECT name FROM sqlite_master WHERE type = 'table'").all { $0.text(0) },
                try CopiedTable.names.map { try CopiedTable($0, catalog: db) }
            )
        }
        #expect(Set(names) == Set(CopiedTable.names + CopiedTable.leftOut))
        #expect(Set(CopiedTable.names).count == CopiedTable.names.count)
        for table in tables {
            let columns = try await server.read { db in
                try db.statement(
                    "SELECT column_name::text FROM information_schema.columns WHERE table_name = ?"
                ).all(table.name) { $0.text(0) }
            }
            #expect(Set(columns) == Set(table.columns.map(\.name)), "\(table.name)")
        }
        let personal = tables.flatMap { table in
            table.columns.filter { $0.type == .personal }.map { "\(table.name).\($0.name)" }
        }
        #expect(
            personal == [
                "recipients.identifier", "accesses.reason", "consent_notices.content", "consents.evidence",
                "evidence_words.content",
            ])
    }

    @Test("the next rows are those behind the last key, whatever the key is made of")
    func statements() async throws {
        let folder = try TemporaryFolder()
        let file = try SQLiteStorage.open(
            folder: folder.path, erasureKey: SecretBytes([UInt8](repeating: 7, count: 32)), ledgerHost: "links.example",
            observer: NoRuleObserver(), clock: { .noon })
        defer { try? file.close() }
        try await file.stores.database.write { writing in
            let table = try CopiedTable("first_interactions", catalog: writing.db)
            for kind in 1...5 {
                try writing.db.statement("INSERT INTO first_interactions (recipient, message, kind) VALUES (7, 9, ?)")
                    .run(kind)
            }
            let all = try CopiedRows(of: table, after: nil, writing.db)
            #expect(all.count == 5)
            #expect(all.lastKey(table) == [.integer(7), .integer(9), .integer(5)])
            let rest = try CopiedRows(of: table, after: [.integer(7), .integer(9), .integer(3)], writing.db)
            #expect(rest.count == 2)
            #expect(try CopiedRows.lastKey(of: table, writing.db) == all.lastKey(table))
            #expect(try CopiedRows(of: table, after: all.lastKey(table), writing.db).count == 0)
        }
    }
}
