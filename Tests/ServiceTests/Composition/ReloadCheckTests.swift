import Glibc
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

    private func run(_ settings: ServiceSettings, with sockets: SocketParts) async throws {
        try await ReloadCheck { try SettingsInForce(settings, environment: [:]) }.run(with: sockets)
    }

    @Test("the settings that are in effect are taken")
    func same() async throws {
        try await TemporaryFolder.with { folder in
            let sockets = try SocketParts(settings: settings(folder), logger: log.logger)
            defer { sockets.close() }
            try await run(settings(folder), with: sockets)
        }
    }

    @Test("a wrong setting is told")
    func wrong() async throws {
        try await TemporaryFolder.with { folder in
            let sockets = try SocketParts(settings: settings(folder), logger: log.logger)
            defer { sockets.close() }
            let check = ReloadCheck { throw SettingError(name: "threads", expected: "must be a number") }
            await #expect(throws: SettingError.self) { try await check.run(with: sockets) }
        }
    }

    @Test("an address that another program has is refused, and one that a listener of this process has is not")
    func addresses() async throws {
        try await TemporaryFolder.with { folder in
            let sockets = try SocketParts(settings: settings(folder), logger: log.logger)
            defer { sockets.close() }
            let other = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
            close(try #require(try other.listen()))
            var changed = settings(folder)
            changed.listen = try #require(other.bound)
            await #expect(throws: ListenError.self) { try await run(changed, with: sockets) }
            changed.listen = try #require(sockets.api.bound)
            changed.apiListen = try #require(sockets.links.bound)
            try await run(changed, with: sockets)
        }
    }

    @Test("a data folder that is lost is not made anew")
    func lost() async throws {
        try await TemporaryFolder.with { folder in
            let sockets = try SocketParts(settings: settings(folder), logger: log.logger)
            defer { sockets.close() }
            var changed = settings(folder)
            changed.missingData = .refuse
            await #expect(throws: DataFolderError.self) { try await run(changed, with: sockets) }
        }
    }
}
