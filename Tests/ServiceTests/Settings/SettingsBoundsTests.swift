import Foundation
import Logging
import Messages
import TestSupport
import Testing

@testable import Service

/// The ends of every setting, and what two of them may not be together.
@Suite struct SettingsBoundsTests {
    private func load(_ flags: [String: String]) async throws -> ServiceSettings {
        try await ServiceSettings.load(flags: flags, environment: [:], file: nil)
    }

    private func refusal(_ flags: [String: String]) async -> SettingError? {
        await #expect(throws: SettingError.self) { try await load(flags) }
    }

    @Test(
        "a number is taken from its lowest to its highest value, and not beyond",
        arguments: [
            ("link-lifetime", 1, 3650), ("min-ask-again-days", 0, 180), ("disk-floor", 0, 1_048_576),
            ("threads", 1, 1024),
        ])
    func numbers(_ name: String, _ lowest: Int, _ highest: Int) async throws {
        for value in [lowest, highest] {
            let effective = try await load([name: "\(value)"]).effective
            #expect(effective.first { $0.name == name }?.value == "\(value)")
        }
        let unusual = ["01", "+1", "0x1", "1e1", "", "٣"]
        for value in ["\(lowest - 1)", "\(highest + 1)", "9223372036854775808"] + unusual {
            let error = await refusal([name: value])
            #expect(error?.name == name)
            let range = "from \(lowest) to \(highest)"
            #expect(error?.expected == "must be an integer \(range), in decimal digits without a leading zero")
        }
    }

    @Test("a choice is one of those that are told, as it is written there")
    func choices() async throws {
        for level in Logger.Level.allCases { #expect(try await load(["log-level": "\(level)"]).logLevel == level) }
        for choice in ServiceSettings.MissingData.allCases {
            #expect(try await load(["missing-data": choice.rawValue]).missingData == choice)
        }
        #expect(await refusal(["missing-data": "Make"])?.expected == "must be one of make, refuse")
        #expect(await refusal(["log-level": ""])?.name == "log-level")
    }

    @Test("roles are named one by one or together; a service that shares its storage with no other has both")
    func roles() async throws {
        let shared = ["storage": "postgres://links@db/links"]
        #expect(try await load([:]).roles == [.links, .api])
        for (text, roles) in [("links", [.links]), ("api", [.api]), ("api,links", [.api, .links])]
            as [(String, Set<ServiceSettings.NodeRole>)]
        {
            #expect(try await load(shared.merging(["roles": text]) { $1 }).roles == roles)
        }
        for text in ["", "link", "links,", "links,links", "links api", "Links"] {
            #expect(await refusal(shared.merging(["roles": text]) { $1 })?.name == "roles")
        }
        #expect(try await load(["roles": "links,api"]).roles == [.links, .api])
        #expect(await refusal(["roles": "links"])?.name == "roles")
    }

    @Test(
        "a refusal names the setting and never its value",
        arguments: [
            ("listen", "s3cret"), ("public-url", "https://user:s3cret@links.example"), ("threads", "s3cret"),
            ("missing-data", "s3cret"), ("api-listen", "s3cret"), ("log-level", "s3cret"),
        ])
    func noValues(_ name: String, _ value: String) async throws {
        let error = await refusal([name: value])
        #expect(error?.description.hasPrefix("\(name): ") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(
        "backups lie in no folder that erasing does not reach: not in the data folder, however its path is written",
        arguments: [
            ("/srv/data", "/srv/data"), ("/srv/data", "/srv/data/backups"), ("/srv/data", "/srv/x/../data/b"),
            ("/srv/data/", "/srv/data//b"), ("./data", "data/b"), ("data", "./x/../data"), ("/", "/backups"),
        ])
    func backupsInData(_ data: String, _ backups: String) async throws {
        #expect(await refusal(["data": data, "backups": backups])?.name == "backups")
    }

    @Test("a symbolic link into the data folder leads into it")
    func linkedBackups() async throws {
        try await TemporaryFolder.with { folder in
            let data = folder.path(of: "data")
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: "data/inside")
            try FileManager.default.createSymbolicLink(atPath: folder.path(of: "up"), withDestinationPath: "data")
            for backups in ["link", "link/b", "up", "up/b"] {
                #expect(await refusal(["data": data, "backups": folder.path(of: backups)])?.name == "backups")
            }
            #expect(
                await refusal(["data": folder.path(of: "up"), "backups": folder.path(of: "data/b")])?.name == "backups")
            #expect(try await load(["data": data, "backups": folder.path(of: "other")]).backupFolder != nil)
        }
    }

    @Test(
        "a folder beside it, or above it, is none of its own",
        arguments: [
            ("/srv/data", "/srv/data-backups"), ("/srv/data", "/srv"), ("/srv/data", "/srv/data/../backups"),
        ])
    func backupsBeside(_ data: String, _ backups: String) async throws {
        let settings = try await load(["data": data, "backups": backups])
        #expect(settings.backupPath == ServiceSettings.absolute(backups).path)
    }

    @Test("without a folder for backups they go beside the data folder")
    func backupPath() async throws {
        #expect(try await load(["data": "/srv/data/"]).backupPath == "/srv/data-backups")
        #expect(try await load(["data": "/srv/x/../data"]).backupPath == "/srv/data-backups")
        #expect(await refusal(["backups": ""])?.name == "backups")
    }

    @Test(
        "no link can begin with every address of a machine",
        arguments: ["0.0.0.0:80", "[::]:80", "*:80", "0:80", "[::0]:80", "[0:0::]:80"])
    func everyAddress(_ address: String) async throws {
        let error = await refusal(["listen": address])
        #expect(error?.name == "public-url")
        let settings = try await load(["listen": address, "public-url": "https://links.example"])
        #expect(settings.listen.isEveryAddress)
    }

    @Test("an address that no link can begin with needs a public URL")
    func noOrigin() async throws {
        let error = await refusal(["listen": "h/x:80"])
        #expect(error?.name == "public-url")
        #expect(error?.description.contains("http://h/x:80") == true)
        _ = try await load(["listen": "h/x:80", "public-url": "https://links.example"])
    }

    @Test(
        "two listeners that cannot be bound at once are refused before one is",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1:80"), ("127.0.0.1:80", "0.0.0.0:80"), ("[::]:80", "127.0.0.1:80"),
            ("*:80", "10.0.0.1:80"), ("127.0.0.1:80", "127.1:80"), ("[::1]:80", "[0::1]:80"), ("0:80", "10.0.0.1:80"),
        ])
    func overlap(_ listen: String, _ api: String) async throws {
        let flags = ["listen": listen, "api-listen": api, "public-url": "https://links.example"]
        #expect(await refusal(flags)?.name == "api-listen")
    }

    @Test(
        "other ports, other addresses, and ports that the system chooses are no overlap",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1:81"), ("127.0.0.1:80", "127.0.0.2:80"), ("0.0.0.0:0", "0.0.0.0:0"),
            ("0.0.0.0:80", "127.0.0.1:81"),
        ])
    func noOverlap(_ listen: String, _ api: String) async throws {
        let flags = ["listen": listen, "api-listen": api, "public-url": "https://links.example"]
        #expect(try await load(flags).apiListen.description == api)
    }

    @Test(
        "which addresses other machines cannot reach",
        arguments: [
            ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("localhost:1", true), ("[::1]:1", true),
            ("0.0.0.0:1", false),
            ("10.0.0.1:1", false), ("[::]:1", false), ("[::11]:1", false), ("links.example:1", false),
        ])
    func loopback(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    }
}
