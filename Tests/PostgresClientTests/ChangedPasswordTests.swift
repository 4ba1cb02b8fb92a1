import Foundation
import PostgresServer
import SQL
import Synchronization
import Testing

@testable import PostgresClient

@Suite struct ChangedPasswordTests {
    @Test("a password that was changed on the server is read again when a login is refused, and used from then on")
    func rotation() throws {
        let database = try PostgresServer.shared.makeDatabase()
        let name = try #require(database.database)
        let administrator = try PostgresConnection(database, password: nil)
        defer { administrator.close() }
        let role = "rotated_in_\(name)"
        try administrator.run(script: "CREATE ROLE \(role) LOGIN PASSWORD 'one'")
        try requirePassword(of: role, administrator)
        let location = try PostgresLocation("postgres://\(role)@/\(name)?host=\(database.hosts[0].name)")
        let file = Mutex<String?>("one")
        let reads = Mutex(0)
        let settings = PostgresSettings(
            location: location, password: "one", durability: .local,
            rereading: {
                reads.withLock { $0 += 1 }
                return file.withLock { $0 }
            })
        try PostgresConnection.open(settings).close()
        #expect(reads.withLock { $0 } == 0)
        try administrator.run(script: "ALTER ROLE \(role) PASSWORD 'two'")
        for text in ["one", nil, "three"] {
            file.withLock { $0 = text }
            #expect(throws: PostgresError.self) { try PostgresConnection.open(settings).close() }
            #expect(settings.password == "one")
        }
        file.withLock { $0 = "two" }
        try PostgresConnection.open(settings).close()
        #expect(settings.password == "two")
        file.withLock { $0 = nil }
        try PostgresConnection.open(settings).close()
    }

    private func requirePassword(of role: String, _ administrator: PostgresConnection) throws {
        let file = "\(PostgresServer.shared.folder)/data/pg_hba.conf"
        let rules = try String(contentsOfFile: file, encoding: .utf8)
        // Not atomically: the file stays that of the server's user.
        try Data("local all \(role) scram-sha-256\n\(rules)".utf8).write(to: URL(filePath: file))
        try administrator.run(script: "SELECT pg_reload_conf()")
        let isRead = try administrator.statement(
            "SELECT EXISTS (SELECT 1 FROM pg_hba_file_rules WHERE ? = ANY (user_name))")
        #expect(try isRead.first(role) { $0.bool(0) } == true)
        // The reload has reached the server before a connection is accepted that began after it.
        Thread.sleep(forTimeInterval: 0.5)
    }
}
