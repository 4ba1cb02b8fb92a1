import Foundation
import Glibc
import Messages
import PostgresClient
import StoragePorts
import TestSupport
import Testing

@testable import Service

/// Settings of a YAML file: each is taken or refused, and none is passed over.
@Suite struct SettingsFileTests {
    private func load(_ yaml: String, flags: [String: String] = [:]) async throws -> ServiceSettings {
        try await load(Array(yaml.utf8), flags: flags)
    }

    private func load(_ bytes: [UInt8], flags: [String: String] = [:]) async throws -> ServiceSettings {
        try await TemporaryFolder.with { folder in
            let path = try folder.write(bytes, to: "settings.yaml")
            return try await ServiceSettings.load(flags: flags, environment: [:], file: path)
        }
    }

    @Test("every setting can stand in it, as a text and where it is a number as one")
    func all() async throws {
        try await TemporaryFolder.with { folder in
            let secret = try folder.write("secret\n", to: "secret")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
            try await all(secret: secret)
        }
    }

    @Test("a value with a NUL character is refused: the system would cut it there")
    func null() async {
        let error = await #expect(throws: SettingError.self) { try await load(#"data: "a\0b""#) }
        #expect(error?.name == "data")
    }

    @Test("the byte order mark that some editors write is no part of the first setting")
    func byteOrderMark() async throws {
        #expect(try await load([0xEF, 0xBB, 0xBF] + Array("data: /srv/data".utf8)).dataFolder == "/srv/data")
        await #expect(throws: SettingError.self) { try await load([0xEF, 0xBB] + Array("data: /srv/data".utf8)) }
    }

    @Test("a folder may have a name that SQLite takes for a URI")
    func uri() async throws {
        #expect(try await load("data: file:x").dataFolder == "./file:x")
    }

    private func all(secret: String) async throws {
        let settings = try await load(
            """
            # A comment.
            data: /srv/data
            backups: "/srv/backups"
            listen: "[::1]:18080"
            api-listen: 127.0.0.1:18081
            console-listen: 127.0.0.1:18082
            console-url: https://console.example.com
            console-oidc-issuer: https://id.example.com
            console-oidc-client-id: console
            console-oidc-client-secret-file: \(secret)
            console-oidc-roles-claim: roles
            console-oidc-roles: ops=operator;audit=auditor@acme
            public-url: https://links.example.com
            link-lifetime: "30"
            min-ask-again-days: 90
            disk-floor: 0
            missing-data: refuse
            storage: sqlite
            storage-password-file: /srv/password
            durability: quorum
            node-name: links-1
            cluster-key: /srv/cluster.key
            peer-address: http://10.0.0.2:8081
            roles: api,links
            stale-clicks: skip
            threads: 3
            log-level: warning
            """)
        #expect(
            settings.effective.map(\.value) == [
                "/srv/data", "/srv/backups", "[::1]:18080", "127.0.0.1:18081", "127.0.0.1:18082",
                "https://console.example.com", "https://id.example.com", "console", secret, "roles",
                "ops=operator;audit=auditor@acme", "https://links.example.com", "30", "90",
                "0",
                "refuse", "sqlite", "/srv/password", "quorum", "links-1",
                "/srv/cluster.key", "http://10.0.0.2:8081", "links,api", "skip", "3", "warning",
            ])
        #expect(settings.effective.map(\.name) == ServiceSettings.names)
        #expect(settings.sources.values.allSatisfy { $0 == .file })
    }

    @Test(
        "a value of another type is named and refused, and the default is not taken for it",
        arguments: [
            ("threads", "true"), ("threads", "1.5"), ("threads", "[1]"), ("threads", "{a: 1}"), ("threads", "~"),
            ("threads", ""), ("threads", "\"\""), ("link-lifetime", "1e2"), ("disk-floor", "2026-11-22"),
            ("listen", "8080"),
            ("api-listen", "8081"), ("public-url", "1"), ("missing-data", "true"), ("log-level", "7"),
            ("log-level", "false"), ("data", "[a]"), ("data", "~"),
        ])
    func types(_ name: String, _ value: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load("\(name): \(value)\n") }
        #expect(error?.name == name)
    }

    @Test("a text that YAML takes for something else, as a date, is taken as it is written")
    func date() async throws {
        for name in ["2026-11-21", "\"2026-11-21\"", "!!timestamp 2026-11-21"] {
            let settings = try await load("node-name: \(name)\n")
            #expect(settings.nodeName?.description == "2026-11-21")
        }
        let error = await #expect(throws: SettingError.self) { try await load("console-url: 2026-11-21\n") }
        #expect(error?.name == "console-url" && error?.expected.contains("one value") == false)
    }

    @Test("what a setting lacks is told: a value, or one value instead of several")
    func noValue() async throws {
        for value in ["", "~", "null", "!!null ~"] {
            let error = await #expect(throws: SettingError.self) { try await load("console-url: \(value)\n") }
            #expect(error?.description == "console-url: has no value: write one, or leave the setting out")
        }
        for value in ["[a]", "{a: b}", "\n  - a", "\n  a: b", "[]", "{}"] {
            let error = await #expect(throws: SettingError.self) { try await load("console-url: \(value)\n") }
            #expect(error?.expected == "must be one value, not a list or a group of values")
        }
    }

    @Test(
        "a number that YAML 1.1 takes for another one is named and refused, with quotes, too",
        arguments: [
            "030", "3:20", "1_0", "0x1E", "0b11", "0o7", "+30", "30.0", "\"030\"", "'3:20'", "!!int 030", "!!str 030",
        ])
    func otherNumbers(_ value: String) async throws {
        for name in ["link-lifetime", "min-ask-again-days", "disk-floor", "threads"] {
            let error = await #expect(throws: SettingError.self) { try await load("\(name): \(value)\n") }
            #expect(error?.name == name)
        }
    }

    @Test(
        "members that are merged from elsewhere are refused, which would be taken for set and have no effect",
        arguments: ["<<: {threads: 5}\n", "disk-floor: 1\n<<: [{threads: 5}]\n", "!!merge all: {threads: 5}\n"])
    func merge(_ yaml: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load(yaml) }
        #expect(error?.expected.hasPrefix("is not a setting") == true)
        #expect(["<<", "all"].contains(error?.name))
    }

    @Test(
        "what is no setting, or stands there twice, is named",
        arguments: [
            ("thread: 2", "thread"), ("threads: 2\nThreads: 3", "Threads"), ("data.folder: x", "data.folder"),
            ("data:\n  folder: x", "data"), ("threads: 1\nthreads: 2", "config"),
        ])
    func unknown(_ yaml: String, _ name: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load(yaml) }
        #expect(error?.name == name)
    }

    @Test("a file that holds no settings is refused", arguments: ["", "# nothing", "7", "- data", "null", "just text"])
    func noSettings(_ yaml: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load(yaml) }
        #expect(error?.name == "config")
        #expect(error?.description.contains("one a line") == true)
    }

    @Test("what is no YAML is refused with the line, and without what stands there")
    func noYAML() async throws {
        let error = await #expect(throws: SettingError.self) {
            try await load("threads: 2\npublic-url: \"https://secret\nlisten: [")
        }
        let text = try #require(error?.description)
        #expect(text.hasPrefix("config: line ") && !text.contains("secret"))
        let bytes = await #expect(throws: SettingError.self) { try await load([0x64, 0x3A, 0x20, 0xFF]) }
        #expect(bytes?.description == "config: must be UTF-8")
    }

    @Test("a file that cannot be read says why")
    func unreadable() async throws {
        try await TemporaryFolder.with { folder in
            for (path, reason) in [(folder.path, "it is a folder"), (folder.path(of: "no"), "No such file")] {
                let error = await #expect(throws: SettingError.self) {
                    try await ServiceSettings.load(flags: [:], environment: [:], file: path)
                }
                let text = try #require(error?.description)
                #expect(text.hasPrefix("config: \(path) cannot be read: \(reason)"))
            }
        }
    }

    @Test("a file and the password of a server may be pipes, as a shell makes them of <(…)")
    func pipes() async throws {
        try await TemporaryFolder.with { folder in
            func pipe(_ name: String, _ text: String) -> String {
                let path = folder.path(of: name)
                #expect(mkfifo(path, 0o600) == 0)
                // It waits for a reader.
                Thread.detachNewThread { try? Data(text.utf8).write(to: URL(filePath: path)) }
                return path
            }
            let password = pipe("password", "secret\n")
            let file = pipe(
                "settings", "storage: postgres://links@db.example/links\nstorage-password-file: \(password)\n")
            let settings = try await ServiceSettings.load(flags: [:], environment: [:], file: file)
            guard case .postgres(let server) = settings.storage else {
                Issue.record("\(settings.storage)")
                return
            }
            #expect(server.password == "secret")
        }
    }

    @Test("each setting says where it came from, and the file of the flag is read rather than the variable's")
    func sources() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write("threads: 2\nlink-lifetime: 2\ndisk-floor: 2\n", to: "a.yaml")
            let other = try folder.write("threads: 9\n", to: "b.yaml")
            var environment = ["CONSENTLINK_LINK_LIFETIME": "3", "CONSENTLINK_DISK_FLOOR": "3", "CONSENTLINK_KEY": "k"]
            environment["CONSENTLINK_CONFIG"] = other
            let flags = ["disk-floor": "4"]
            var settings = try await ServiceSettings.load(flags: flags, environment: environment, file: file)
            #expect([settings.threads, settings.linkLifetimeInDays, settings.diskFloorInMebibytes] == [2, 3, 4])
            let sources = settings.sources
            #expect(sources["threads"] == .file && sources["link-lifetime"] == .environment)
            #expect(sources["disk-floor"] == .flag && sources["listen"] == .standard)
            #expect(Set(sources.keys) == Set(ServiceSettings.names))
            settings = try await ServiceSettings.load(flags: [:], environment: environment, file: nil)
            #expect(settings.threads == 9 && settings.sources["threads"] == .file)
        }
    }
}
