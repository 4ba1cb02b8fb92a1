import TestSupport
import Testing

@testable import Service

@Suite struct SettingTextTests {
    private static let wrapped: [(String, String)] = [
        ("\"/srv/data\"", "quotation marks"), ("'/srv/data'", "quotation marks"),
        ("\u{201C}/srv/data\u{201D}", "quotation marks"), ("\"\"", "quotation marks"),
        ("/srv/data\n", "must not end with"), ("/srv/data\r\n", "must not end with"),
        ("/srv/data ", "must not end with"),
        ("/srv/data\u{A0}", "must not end with"), ("\n", "must not end with"), (" /srv/data", "must not begin with"),
        ("/srv\n/data", "control characters"), ("/srv\u{1B}[1m", "control characters"),
    ]

    @Test("a text with quotation marks, white space or control characters is refused, without a word of it")
    func faults() {
        for (text, part) in Self.wrapped {
            let fault = SettingText.fault(in: text)
            #expect(fault?.contains(part) == true, "\(text.debugDescription)")
            #expect(fault?.contains("srv") == false)
        }
    }

    @Test(
        "any other text is taken, with spaces and quotation marks inside, too",
        arguments: ["", "\"", "'", "./\"data\"", "/srv/my data", "o'clock", "größe", "a='b'", "/srv/data /"])
    func taken(_ text: String) {
        #expect(SettingText.fault(in: text) == nil)
    }

    @Test("a folder in quotation marks is refused from every source, and one that is overridden does not count")
    func sources() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write("data: '\"data\"'\n", to: "settings.yaml")
            for (flags, environment, path) in [
                (["data": "\"data\""], [:], nil), ([:], ["CONSENTLINK_DATA": "'data'"], nil), ([:], [:], file),
            ] as [([String: String], [String: String], String?)] {
                let error = await #expect(throws: SettingError.self) {
                    try await ServiceSettings.load(flags: flags, environment: environment, file: path)
                }
                #expect(
                    error?.description == """
                        data: must be written without the quotation marks around it: they would be a part of the value
                        """)
            }
            let settings = try await ServiceSettings.load(flags: ["data": "data"], environment: [:], file: file)
            #expect(settings.dataFolder == "data")
        }
    }

    @Test("a list may stand on several lines, with a line end at its end")
    func list() async throws {
        let settings = [
            "data": "data", "console-listen": "127.0.0.1:8082", "console-oidc-issuer": "https://accounts.example",
            "console-oidc-client-id": "console", "console-oidc-roles-claim": "roles",
            "console-oidc-roles": "ops=operator;\naudit=auditor@acme;\n",
        ]
        let loaded = try await ServiceSettings.load(flags: settings, environment: [:], file: nil)
        #expect(loaded.consoleProvider != nil)
    }

    @Test("what shells replace at the beginning of a path is refused for a folder", arguments: ["~", "~/d", "$D/d"])
    func unreplaced(_ path: String) async throws {
        for name in ["data", "backups"] {
            let error = await #expect(throws: SettingError.self) {
                try await ServiceSettings.load(flags: [name: path], environment: [:], file: nil)
            }
            #expect(
                error?.description
                    == "\(name): must be the whole path: nothing replaces the \(path.prefix(1)) at its beginning")
        }
        #expect(SettingText.fault(inFolder: "./\(path)") == nil && SettingText.fault(inFolder: "") == nil)
        #expect(SettingText.fault(inFolder: "/srv/a~$b") == nil)
    }
}
