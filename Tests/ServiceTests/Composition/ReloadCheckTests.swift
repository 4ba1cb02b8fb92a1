import GRDB
import Glibc
import PostgresClient
import PostgresStorage
import SQL
import TestSupport
import Testing

@testable import Service

/// What a reload asks before the process is given up for it.
@Suite struct ReloadCheckTests {
    private let log = CapturedLog()

    /// Settings with listeners on ports that the system chooses.
    private func settings(_ folder: TemporaryFolder) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.dataFolder = folder.path(of: "data")
        settings.listen = ListenAddress(host: "127.0.0.1", port: 0)
        settings.apiListen = ListenAddress(host: "127.0.0.1", port: 0)
        settings.consoleListen = nil
        return settings
    }

    /// The sockets of a service with such settings.
    private func withSockets(
        _ body: (TemporaryFolder, SocketParts) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let sockets = try SocketParts(settings: settings(folder), logger: log.logger)
            defer { sockets.close() }
            try await body(folder, sockets)
        }
    }

    private func run(_ settings: ServiceSettings, with sockets: SocketParts) async throws {
        let check = ReloadCheck(program: { "/bin/true" }) { try SettingsInForce(settings, environment: [:]) }
        try await check.run(with: sockets)
    }

    @Test("the settings that are in effect are taken")
    func same() async throws {
        try await withSockets { folder, sockets in
            try await run(settings(folder), with: sockets)
        }
    }

    @Test("a wrong setting is told")
    func wrong() async throws {
        try await withSockets { folder, sockets in
            let check = ReloadCheck { throw SettingError(name: "threads", expected: "must be a number") }
            await #expect(throws: SettingError.self) { try await check.run(with: sockets) }
        }
    }

    @Test("an address that another program has is refused, and one that a listener of this process has is not")
    func addresses() async throws {
        try await withSockets { folder, sockets in
            let other = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
            close(try #require(try other.listen()))
            var changed = settings(folder)
            changed.listen = try #require(other.bound)
            await #expect(throws: ListenError.self) { try await run(changed, with: sockets) }
            changed.listen = try #require(sockets.privateListener.bound)
            changed.apiListen = try #require(sockets.publicListener.bound)
            try await run(changed, with: sockets)
        }
    }

    @Test("a console that nobody chose makes way for a listener; one that was chosen is a wrong setting")
    func console() throws {
        try TemporaryFolder.with { folder in
            let taken = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
            var settings = settings(folder)
            settings.listen = try #require(taken.bound)
            taken.close()
            settings.consoleListen = settings.listen
            let sockets = try SocketParts(settings: settings, logger: log.logger)
            #expect(sockets.console == nil)
            #expect(log.lines.contains { $0.message.contains("without a console") })
            sockets.close()
            settings.sources["console-listen"] = .file
            #expect(throws: SettingError.self) { try SocketParts(settings: settings, logger: log.logger) }
        }
    }

    @Test("of two services that start together with the usual console, one has it; the other one starts without")
    func consoleOfTwo() throws {
        try TemporaryFolder.with { folder in
            let first = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "console-listen")
            var settings = settings(folder)
            settings.consoleListen = first.bound
            let second = try SocketParts(settings: settings, logger: log.logger)
            #expect(second.console?.bound == first.bound)
            let refusal = #expect(throws: ListenError.self) { try first.take() }
            #expect(refusal?.isInUse == true)
            second.close()

            try first.take()
            let third = try SocketParts(settings: settings, logger: log.logger)
            #expect(third.console == nil)
            #expect(log.lines.contains { $0.message.contains("without a console") })
            third.close()
        }
    }

    @Test("a listener of this process that stays where it is is in the way")
    func inTheWay() async throws {
        try await withSockets { folder, sockets in
            var changed = settings(folder)
            changed.listen = try #require(sockets.publicListener.bound)
            for host in ["localhost", "127.0.0.1"] {
                changed.apiListen = ListenAddress(host: host, port: changed.listen.port)
                let error = await #expect(throws: SettingError.self) { try await run(changed, with: sockets) }
                #expect(error?.description == "api-listen: must be another address than listen")
            }
        }
    }

    @Test("a folder that the next start would refuse is refused")
    func folder() async throws {
        try await withSockets { folder, sockets in
            let path = settings(folder).dataFolder
            _ = try DataFolderTask.make(at: path)
            try await run(settings(folder), with: sockets)

            var changed = settings(folder)
            changed.storage = try StorageChoice(
                "postgres://consentlink@127.0.0.1/consentlink", durability: .local, passwordFile: nil, environment: [:])
            await #expect(throws: DataFolderError.otherStorage(made: .sqlite, asked: .postgres)) {
                try await run(changed, with: sockets)
            }
            changed = settings(folder)
            changed.dataFolder = folder.path(of: "")
            await #expect(throws: DataFolderError.unusable("the folder", .notADataFolder)) {
                try await run(changed, with: sockets)
            }
            chmod("\(path)/operator.key", 0o640)
            await #expect(throws: DataFolderError.unusable("operator.key", .open(0o640))) {
                try await run(settings(folder), with: sockets)
            }
        }
    }

    @Test(
        "a database that another program changed is refused while the service has it open",
        arguments: [
            (
                "consentlink.db", "CREATE INDEX my_report ON interactions (occurred_at)",
                FolderFinding.Fault.foreignSchema(.unknown(SchemaObjectName(type: "index", name: "my_report")))
            ),
            (
                "spool.db", "CREATE TABLE t (a)",
                .foreignSchema(.unknown(SchemaObjectName(type: "table", name: "t")))
            ),
            ("spool.db", "CREATE VIEW v AS SELECT 1", .foreignCode), ("spool.db", "PRAGMA user_version = 99", .newer),
        ])
    func changedSchema(_ file: String, _ statement: String, _ fault: FolderFinding.Fault) async throws {
        try await withSockets { folder, sockets in
            let path = settings(folder).dataFolder
            _ = try DataFolderTask.make(at: path)
            // Its log has the change, as it has while the service runs.
            let queue = try DatabaseQueue(path: "\(path)/\(file)")
            try await queue.writeWithoutTransaction { db in try db.execute(sql: statement) }
            await #expect(throws: DataFolderError.unusable(file, fault)) {
                try await run(settings(folder), with: sockets)
            }
            try queue.close()
        }
    }

    @Test("a program that does not start is told, although its file is there and may be executed")
    func program() async throws {
        try await withSockets { folder, sockets in
            let settings = settings(folder)
            let check = ReloadCheck(program: { "/bin/false" }) { try SettingsInForce(settings, environment: [:]) }
            let fault = await #expect(throws: ProcessReplacement.Failure.self) { try await check.run(with: sockets) }
            #expect(fault?.reason == "called with --version it exits with 1")
        }
    }

    @Test("a key of the cluster is refused as the start would refuse it; one whose file is gone is not needed")
    func clusterKey() async throws {
        try await withSockets { folder, sockets in
            var changed = settings(folder)
            changed.storage = try StorageChoice(
                "postgres://consentlink@127.0.0.1/consentlink", durability: .local, passwordFile: nil, environment: [:])
            _ = try DataFolderTask.make(at: changed.dataFolder, storage: .postgres)
            changed.clusterKey = try GivenClusterKey(file: folder.path(of: "gone"))
            await #expect(throws: SettingError.self) { try await run(changed, with: sockets) }
            let own = String(repeating: "0f", count: 32)
            try SecretFile(path: "\(changed.dataFolder)/cluster.key").write(Array(own.utf8))
            try await run(changed, with: sockets)

            let given = SecretFile(path: folder.path(of: "given"))
            try given.write(Array(own.utf8))
            changed.clusterKey = try GivenClusterKey(file: given.path)
            try await run(changed, with: sockets)
            try given.write(Array(String(repeating: "0e", count: 32).utf8))
            changed.clusterKey = try GivenClusterKey(file: given.path)
            await #expect(throws: WrongClusterKey.self) { try await run(changed, with: sockets) }
        }
    }

    @Test("a data folder that is lost is not made anew")
    func lost() async throws {
        try await withSockets { folder, sockets in
            var changed = settings(folder)
            changed.missingData = .refuse
            await #expect(throws: DataFolderError.self) { try await run(changed, with: sockets) }
        }
    }
}
