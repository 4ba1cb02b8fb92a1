import Logging
import Messages
import TestSupport
import Testing

@testable import Service

struct ServiceSettingsTests {
    private func load(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) async throws -> ServiceSettings {
        try await ServiceSettings.load(flags: flags, environment: environment, file: file)
    }

    private func withFile<Result>(_ yaml: String, _ body: (String) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { try await body($0.write(yaml, to: "settings.yaml")) }
    }

    @Test("nothing set gives the defaults of the contract")
    func defaults() async throws {
        let settings = try await load()
        #expect(settings.dataFolder == "./data")
        #expect(settings.listen.description == "127.0.0.1:8080")
        #expect(settings.apiListen.description == "127.0.0.1:8081")
        #expect(settings.publicURL == nil)
        #expect(settings.linkLifetimeInDays == 180)
        #expect(settings.threads == nil)
        #expect(settings.missingData == .make)
        #expect(settings.logLevel == .info)
    }

    @Test("a flag wins over the environment, and the environment over the file")
    func precedence() async throws {
        try await withFile("link-lifetime: 1\nthreads: 2\ndata: /from/file\n") { file in
            let environment = ["CONSENTLINK_LINK_LIFETIME": "3", "CONSENTLINK_THREADS": "4", "HOME": "/root"]
            let settings = try await load(flags: ["link-lifetime": "5"], environment: environment, file: file)
            #expect(settings.linkLifetimeInDays == 5)
            #expect(settings.threads == 4)
            #expect(settings.dataFolder == "/from/file")
        }
    }

    @Test(
        "a wrong setting is named, whatever it is",
        arguments: [
            ("data", ""), ("listen", "8080"), ("listen", "localhost:"), ("listen", "localhost:65536"),
            ("listen", ":80"), ("listen", "::1:80"), ("listen", "a b:80"), ("api-listen", "nowhere"),
            ("console-listen", "nowhere"), ("console-url", "http://console.example"), ("console-url", "console"),
            ("public-url", "links.example.com"), ("public-url", "https://links.example.com/path"),
            ("public-url", "ftp://links.example.com"), ("link-lifetime", "0"), ("link-lifetime", "3651"),
            ("link-lifetime", "soon"), ("link-lifetime", "1.5"), ("disk-floor", "-1"), ("threads", "0"),
            ("threads", "-1"), ("missing-data", "init"),
            ("threads", "many"), ("log-level", "loud"),
        ])
    func wrong(name: String, value: String) async throws {
        let byFlag = await #expect(throws: SettingError.self) { try await load(flags: [name: value]) }
        #expect(byFlag?.name == name)
        let variable = "CONSENTLINK_" + name.uppercased().replacing("-", with: "_")
        let byVariable = await #expect(throws: SettingError.self) { try await load(environment: [variable: value]) }
        #expect(byVariable?.name == name)
    }

    @Test("a variable that is no setting is named")
    func unknownVariable() async throws {
        let error = await #expect(throws: SettingError.self) { try await load(environment: ["CONSENTLINK_LISTN": "x"]) }
        #expect(error?.name == "CONSENTLINK_LISTN")
        // What Kubernetes sets for a service called consentlink-public, unless it is told not to.
        for name in [
            "CONSENTLINK_PUBLIC_SERVICE_HOST", "CONSENTLINK_PUBLIC_SERVICE_PORT_HTTP", "CONSENTLINK_PUBLIC_PORT",
        ] {
            let inPod = await #expect(throws: SettingError.self) {
                try await load(environment: [name: "10.1.2.3", "KUBERNETES_SERVICE_HOST": "10.0.0.1"])
            }
            #expect(inPod?.name == name && "\(inPod as Any)".contains("enableServiceLinks"))
        }
    }

    @Test("a file that is not there or not YAML is refused", arguments: ["/nowhere/settings.yaml", nil])
    func badFile(path: String?) async throws {
        if let path {
            let error = await #expect(throws: SettingError.self) { try await load(file: path) }
            #expect(error?.name == "config")
        } else {
            try await withFile("a: [") { file in
                let error = await #expect(throws: SettingError.self) { try await load(file: file) }
                #expect(error?.name == "config")
            }
        }
    }

    @Test(
        "the console's address is spelt as browsers send it",
        arguments: ["https://Console.Example.com", "https://console.example.com:443", "HTTPS://console.example.com."])
    func consoleURL(_ text: String) async throws {
        let settings = try await load(flags: ["console-url": text])
        #expect(settings.consoleURL?.text == "https://console.example.com")
    }

    @Test("links cannot begin with a port that nobody knows yet")
    func portZero() async throws {
        let error = await #expect(throws: SettingError.self) { try await load(flags: ["listen": "127.0.0.1:0"]) }
        #expect(error?.name == "public-url")
        let settings = try await load(flags: ["listen": "127.0.0.1:0", "public-url": "https://links.example.com"])
        #expect(settings.publicURL?.text == "https://links.example.com")
    }
}
