import Service
import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct APIOptionsTests {
    @Test(
        "commands ask where CONSENTLINK_API says, else where the service listens, else at the default",
        arguments: [
            ([:], "http://127.0.0.1:8081"),
            (["CONSENTLINK_API": "http://10.0.0.1:1"], "http://10.0.0.1:1"),
            (["CONSENTLINK_API_LISTEN": "127.0.0.1:18301"], "http://127.0.0.1:18301"),
            (
                ["CONSENTLINK_API": "http://10.0.0.1:1", "CONSENTLINK_API_LISTEN": "127.0.0.1:18301"],
                "http://10.0.0.1:1"
            ),
            (["CONSENTLINK_API_LISTEN": "0.0.0.0:9"], "http://127.0.0.1:9"),
            (["CONSENTLINK_API_LISTEN": "[::]:9"], "http://127.0.0.1:9"),
            (["CONSENTLINK_API_LISTEN": "[::1]:9"], "http://[::1]:9"),
            (["CONSENTLINK_API_LISTEN": "10.0.0.2:9"], "http://10.0.0.2:9"),
            (["CONSENTLINK_API": "http://10.0.0.1:1", "CONSENTLINK_API_LISTEN": "nonsense"], "http://10.0.0.1:1"),
        ])
    func address(_ environment: [String: String], _ address: String) throws {
        #expect(try APIOptions.address(in: environment) == address)
    }

    @Test(
        "a setting of the listener that names no address is refused: the key would go to another program",
        arguments: ["", "127.0.0.1", "127.0.0.1:18301 ", "nonsense", "127.0.0.1:0"])
    func wrongListener(_ text: String) async throws {
        let environment = ["CONSENTLINK_KEY": "clk_test", "CONSENTLINK_API_LISTEN": text]
        #expect(throws: CommandFailure.self) { try APIOptions.address(in: environment) }
        let done = try await CommandRun.of(["keys", "list"], environment: environment)
        #expect(done.status == 2)
        #expect(done.errors.contains("CONSENTLINK_API_LISTEN"))
    }

    @Test("an empty name of the data folder is refused", arguments: [["keys", "list"], ["init"]])
    func emptyFolder(_ command: [String]) async throws {
        let done = try await CommandRun.of(command, environment: ["CONSENTLINK_DATA": ""])
        #expect(done.status == 2)
        #expect(done.errors.contains("CONSENTLINK_DATA"))
    }

    @Test("the key is taken from the environment, then from the data folder; without either that is wrong usage")
    func keyOfOperator() async throws {
        try await TemporaryFolder.with { folder in
            // As an editor of another system may leave it.
            try folder.write("\u{FEFF}clk_file \r\n", to: "operator.key")
            try await StubServer.with({ _, _ in .json(#"{"keys":[]}"#) }) { server in
                let words = ["keys", "list", "--api", server.base + "/"]
                let file = try await CommandRun.of(words + ["--data", folder.path], environment: [:])
                #expect(file.status == 0)
                let named = try await CommandRun.of(
                    ["keys", "list"],
                    environment: ["CONSENTLINK_API": server.base, "CONSENTLINK_DATA": folder.path])
                #expect(named.status == 0)
                // As `CONSENTLINK_KEY=$(cat a-file-that-is-not-there)` leaves it: nobody becomes the operator by that.
                let empty = try await CommandRun.of(
                    words + ["--data", folder.path], environment: ["CONSENTLINK_KEY": ""])
                #expect(empty.status == 2 && empty.errors.contains("CONSENTLINK_KEY is empty"))
                let both = try await CommandRun.of(words + ["--data", folder.path])
                #expect(both.status == 0)
                #expect(
                    server.requests.map { $0.headers["authorization"] }
                        == ["Bearer clk_file", "Bearer clk_file", "Bearer clk_test"])
                #expect(Set(server.requests.map(\.line)) == ["GET /v1/keyring"])
                let none = try await CommandRun.of(words, environment: [:])
                #expect(none.status == 2)
                #expect(none.errors.contains("there is no operator.key to read in ./data: No such file or directory"))
                try folder.write(String(repeating: "k", count: 4097), to: "operator.key")
                let long = try await CommandRun.of(words + ["--data", folder.path], environment: [:])
                #expect(long.status == 2)
                #expect(long.errors.contains("operator.key to read in \(folder.path): it has more than 4096 bytes"))
            }
        }
    }

    @Test("a key that the service does not know is told by the place that it is from, and not shown")
    func unknownKey() async throws {
        try await StubServer.with({ _, _ in .problem(401, "A key is needed") }) { server in
            try await TemporaryFolder.with { folder in
                try folder.write("clk_of_another_service\n", to: "operator.key")
                for (words, environment, source) in [
                    (["--data", "."], [:], "./operator.key"), ([], ["CONSENTLINK_KEY": "clk_test"], "CONSENTLINK_KEY"),
                ] {
                    let done = try await CommandRun.of(
                        ["keys", "list", "--api", server.base] + words, environment: environment, in: folder)
                    #expect(done.status == 1 && !done.errors.contains("clk_"))
                    #expect(done.errors.hasPrefix("consentlink: A key is needed\n"))
                    #expect(done.errors.contains("The service at \(server.base) does not know the key in \(source)."))
                }
            }
        }
    }

    @Test("with --api, the settings of listeners do not matter")
    func givenAddress() async throws {
        try await StubServer.with({ _, _ in .json(#"{"keys":[]}"#) }) { server in
            let done = try await CommandRun.of(
                ["keys", "list", "--api", server.base],
                environment: ["CONSENTLINK_KEY": "clk_test", "CONSENTLINK_API_LISTEN": "nonsense"])
            #expect(done.status == 0)
        }
    }

    @Test("a command finds the service by the setting of its listener")
    func listener() async throws {
        try await StubServer.with({ _, _ in .json(#"{"keys":[]}"#) }) { server in
            let address = String(server.base.dropFirst("http://".count))
            let done = try await CommandRun.of(
                ["keys", "list"], environment: ["CONSENTLINK_KEY": "clk_test", "CONSENTLINK_API_LISTEN": address])
            #expect(done.status == 0)
            #expect(server.requests.map(\.line) == ["GET /v1/keyring"])
        }
    }
}
