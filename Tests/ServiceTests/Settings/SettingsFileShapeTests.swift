import Foundation
import TestSupport
import Testing

@testable import Service

/// Settings files that are YAML and no plain list of settings: none of them ends the process or takes its memory.
@Suite struct SettingsFileShapeTests {
    private func load(_ yaml: String) async throws -> ServiceSettings {
        try await TemporaryFolder.with { folder in
            let path = try folder.write(yaml, to: "settings.yaml")
            return try await ServiceSettings.load(flags: [:], environment: [:], file: path)
        }
    }

    @Test(
        "a name that is a list or a group of values is refused with its line",
        arguments: [
            "{ a: 1 }: 2", "? {a: 1}", "[x]: 1", "!!set {[a]: 1}", "{[b]: 1}", "? [a]\n: [b]", "{{ data_dir }}",
            "? &a [b]\n: 1",
        ])
    func groupAsName(_ yaml: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load("# A comment.\n" + yaml) }
        #expect(
            error?.description
                == "config: line 2: the name of a setting must be a text, not a list or a group of values")
    }

    @Test(
        "a group in place of a value is refused, whatever its names are, as a template that was not filled in has it",
        arguments: [
            "{{ data_dir }}", "{a: {[b]: 1}}", "!!set {[a]: 1}", "[{[a]: 1}]", "{? {a: 1}}", "!!pairs [[a]: 1]",
        ])
    func groupAsValue(_ value: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load("data: \(value)\n") }
        #expect(error?.description == "data: must be one value, not a list or a group of values")
    }

    @Test(
        "a number of any size and base is a text",
        arguments: [
            "9223372036854775807:59", "99999999999999999999", "1e999", "-9223372036854775808:59", "190:20:30.15",
            ".inf",
        ])
    func largeNumbers(_ value: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load("link-lifetime: \(value)\n") }
        #expect(error?.name == "link-lifetime")
        #expect(try await load("data: \(value)\n").dataFolder == value)
    }

    @Test("an alias stands for its value; many aliases are refused before they multiply, as a name, too")
    func aliases() async throws {
        let settings = try await load("data: &a '/srv/*x'\nbackups: /b # *c\n#\(String(repeating: " *a", count: 9))")
        #expect(settings.dataFolder == "/srv/*x")
        #expect(try await load("threads: &two 2\nlink-lifetime: *two").linkLifetimeInDays == 2)
        var bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for (name, inner) in zip("bcdefgh", "abcdefg") {
            bomb += "\(name): &\(name) [*\(inner)\(String(repeating: ",*\(inner)", count: 8))]\n"
        }
        for end in ["", "? *h\n: 1\n"] {
            let error = await #expect(throws: SettingError.self) { try await load("data: d\n" + bomb + end) }
            #expect(error?.description == "config: must have at most 8 aliases")
        }
    }

    @Test("a file that is too long is refused, without reading all of it")
    func tooLong() async throws {
        let longest = "data: /srv\n#".padding(toLength: 64 << 10, withPad: " ", startingAt: 0)
        #expect(try await load(longest).dataFolder == "/srv")
        let error = await #expect(throws: SettingError.self) { try await load(longest + " ") }
        #expect(error?.description == "config: must have at most 65536 bytes")
        let endless = await #expect(throws: SettingError.self) {
            try await ServiceSettings.load(flags: [:], environment: [:], file: "/dev/zero")
        }
        #expect(endless?.description == error?.description)
    }

    @Test("a setting that stands there twice is named, also with two tags")
    func twice() async throws {
        for (yaml, message) in [
            ("threads: 1\nthreads: 2", "config: threads: set twice"),
            ("threads: 1\n!other threads: 2", "config: line 2: threads: set twice"),
        ] {
            let error = await #expect(throws: SettingError.self) { try await load(yaml) }
            #expect(error?.description == message)
        }
    }
}
