import Foundation
import Identifiers
import TestSupport
import Testing

@testable import PostgresClient
@testable import Service

@Suite struct StorageSettingTests {
    private static let url = "postgres://consentlink@db.example:6432/links?sslmode=verify-full"

    private func load(
        _ flags: [String: String], environment: [String: String] = [:]
    ) async throws -> ServiceSettings {
        try await ServiceSettings.load(flags: flags, environment: environment, file: nil)
    }

    /// The settings of the server, where one is named.
    private func server(
        _ flags: [String: String], environment: [String: String] = [:]
    ) async throws -> PostgresSettings? {
        guard case .postgres(let server) = try await load(flags, environment: environment).storage else { return nil }
        return server
    }

    private func refusal(_ flags: [String: String], environment: [String: String] = [:]) async -> SettingError? {
        await #expect(throws: SettingError.self) { try await load(flags, environment: environment) }
    }

    @Test("without the setting, and with sqlite, the store is a file of the folder")
    func embedded() async throws {
        #expect(try await load([:]).storage.kind == .sqlite)
        #expect(try await load(["storage": "sqlite"]).storage.kind == .sqlite)
        #expect(try await load([:]).durability == .local)
    }

    @Test("files in a URL get absolute paths for a move, and nothing else in it changes")
    func absoluteFiles() throws {
        let here = ServiceSettings.absolute(".").path
        let url = "postgres://one@db.example/links?sslmode=verify-full&sslrootcert=a%20b/ca.pem&passfile=/etc/pass"
        let absolute = try PostgresLocation(StorageChoice.withAbsoluteFiles(url))
        #expect(absolute.options["sslrootcert"] == "\(here)/a b/ca.pem")
        #expect(absolute.options["passfile"] == "/etc/pass")
        #expect(absolute.options["sslmode"] == "verify-full")
        for same in [
            "sqlite", Self.url, "postgres:///links?host=/run/postgresql&sslrootcert=system",
            "postgres://x/y?sslkey=%2Fk",
        ] {
            #expect(StorageChoice.withAbsoluteFiles(same) == same)
        }
    }

    @Test("a URL names a server, whichever way it is given", arguments: ["postgres", "postgresql"])
    func url(scheme: String) async throws {
        let url = Self.url.replacing("postgres:", with: "\(scheme):")
        for settings in [
            try await server(["storage": url, "durability": "quorum"]),
            try await server([:], environment: ["CONSENTLINK_STORAGE": url, "CONSENTLINK_DURABILITY": "quorum"]),
        ] {
            #expect(settings?.location.hosts.map { "\($0.name) \($0.port)" } == ["db.example 6432"])
            #expect(settings?.location.user == "consentlink")
            #expect(settings?.location.database == "links")
            #expect(settings?.location.options == ["sslmode": "verify-full"])
            #expect(settings?.durability == .quorum)
            #expect(settings?.password == nil)
        }
    }

    @Test(
        "anything else is refused, and is not repeated",
        arguments: [
            "", "SQLite", "mysql://secret@db/links", "/var/lib/secret", "postgres:secret", "postgres://a b/secret",
            "postgres://db/secret%+5", "postgres://db/secret%g0", "postgres://db/secret%00", "postgres://db/secret%",
        ])
    func unknown(text: String) async throws {
        let error = await refusal(["storage": text])
        #expect(error?.name == "storage")
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "a password in the URL is refused, with the three ways to give one, and is not repeated",
        arguments: [
            "postgres://user:secret@db.example/links", "postgres://user:@db.example/links",
            "postgres://db.example/links?password=secret", "postgres://user:1/secret@db.example/links",
            "postgres://user:a?secret=b@db.example/links", "postgres://user:secret@more@db.example/links",
            "postgres://user:5432/secret@db.example/links",
        ])
    func passwordInURL(url: String) async throws {
        let error = try #require(await refusal(["storage": url]))
        #expect(error.name == "storage")
        for way in ["CONSENTLINK_STORAGE_PASSWORD", "storage-password-file", "~/.pgpass"] {
            #expect(error.description.contains(way))
        }
        #expect(!error.description.contains("secret"))
    }

    @Test("a password comes from the environment, and from a file before that; a line break at its end is none of it")
    func passwords() async throws {
        let environment = ["CONSENTLINK_STORAGE_PASSWORD": "from the environment"]
        #expect(try await server(["storage": Self.url], environment: environment)?.password == "from the environment")
        try await TemporaryFolder.with { folder in
            let file = try folder.write("from the file\n", to: "password")
            // The volumes of containers give secrets to a group.
            for mode in [0o600, 0o640] as [UInt32] {
                chmod(file, mode)
                let flags = ["storage": Self.url, "storage-password-file": file]
                #expect(try await server(flags, environment: environment)?.password == "from the file")
            }
        }
    }

    @Test("the file of the password is read again when a connection fails")
    func changedPassword() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write("one", to: "password")
            chmod(file, 0o600)
            let flags = ["storage": "postgres://nobody@127.0.0.1:1/x", "storage-password-file": file]
            let settings = try await server(flags)
            let server = try #require(settings)
            #expect(throws: PostgresError.self) { try PostgresConnection.open(server).close() }
            #expect(server.changedPassword() == nil)
            _ = try folder.write("two\n", to: "password")
            chmod(file, 0o600)
            #expect(server.changedPassword() == "two")
            chmod(file, 0o644)
            #expect(server.changedPassword() == nil)
        }
    }

    @Test(
        "a password file that others can read, or that has no text, is refused and not repeated",
        arguments: [
            (Array("secret".utf8), 0o620, "chmod 600"), (Array("secret".utf8), 0o604, "chmod 600"),
            ([], 0o600, "empty"),
            ([10], 0o600, "empty"), ([0xFF, 0xFE], 0o600, "UTF-8 text"), (Array("se\0cret".utf8), 0o600, "UTF-8 text"),
        ])
    func passwordFile(bytes: [UInt8], mode: UInt32, reason: String) async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write(bytes, to: "password")
            chmod(file, mode)
            let error = try #require(await refusal(["storage": Self.url, "storage-password-file": file]))
            #expect(error.name == "storage-password-file")
            #expect(error.description.contains(reason))
            #expect(!error.description.contains("secret"))
        }
    }

    @Test("a password file that is not there is refused", arguments: ["/nowhere/password", "/tmp", ""])
    func noPasswordFile(path: String) async throws {
        #expect(await refusal(["storage": Self.url, "storage-password-file": path])?.name == "storage-password-file")
    }

    @Test("durability is local or quorum")
    func durability() async throws {
        #expect(await refusal(["durability": "some"])?.name == "durability")
        #expect(try await load(["durability": "quorum"]).durability == .quorum)
    }

    @Test(
        "what counts only on a server is refused at a start on the embedded store, where it would promise too much",
        arguments: [("durability", "quorum"), ("peer-address", "http://10.0.0.2:8081")])
    func withoutServer(_ name: String, _ value: String) async throws {
        try await TemporaryFolder.with { folder in
            let flags = ["data": folder.path(of: "data"), name: value]
            let embedded = try SettingsInForce(try await load(flags), environment: [:])
            #expect(#expect(throws: SettingError.self) { try embedded.requireEffect() }?.name == name)
            let server = try await load(flags.merging(["storage": Self.url]) { $1 })
            try SettingsInForce(server, environment: [:]).requireEffect()
        }
    }

    @Test("a folder that was moved from one storage to the other is started with the settings from before the move")
    func afterMove() async throws {
        for (from, to) in [("sqlite", Self.url), (Self.url, "sqlite")] {
            try await TemporaryFolder.with { folder in
                var generator = SystemRandomNumberGenerator()
                var manifest = FolderManifest(folder: FolderID(using: &generator), madeAt: .noon, isComplete: true)
                manifest.begin(FolderMigration(from: from, to: to, passwordFile: nil, isDone: false))
                manifest.endMove()
                try SecretFile(path: folder.path(of: FolderFile.manifest)).write(manifest.bytes)
                let given = try await load(["data": folder.path, "storage": from, "durability": "quorum"])
                try SettingsInForce(given, environment: [:]).requireEffect()
            }
        }
    }

    @Test("what is shown of the settings has no password")
    func shown() async throws {
        let settings = try await load(
            ["storage": Self.url], environment: ["CONSENTLINK_STORAGE_PASSWORD": "secret"])
        #expect(settings.effective.contains { $0.name == "storage" && $0.value == Self.url })
        #expect(settings.effective.contains { $0.name == "durability" && $0.value == "local" })
        #expect(!settings.effective.contains { $0.value.contains("secret") })
    }
}
