import ArgumentParser
import JSON
import NIOHTTP1

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The key ring that tracking IDs are signed with.",
        discussion: """
            EXAMPLE
              consentlink keys list
              consentlink keys rotate
            """,
        subcommands: [List.self, Rotate.self, Retire.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the keys, oldest first.",
            discussion: """
                EXAMPLE
                  consentlink keys list --json
                """
        )

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().get("/v1/keyring", of: "key ring", having: [.list("keys")])
            Output(isJSON: options.json).show(answer) {
                let rows = (answer["keys"]?.elements ?? []).map { key in
                    ["id", "signs", "createdAt", "signedUntil", "linksAliveUntil"].map { key[$0]?.text ?? "-" }
                }
                return Output.table([["KEY", "SIGNS", "MADE", "SIGNED UNTIL", "LINKS ALIVE UNTIL"]] + rows)
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Sign with a new key from now on. Links signed before go on working.",
            discussion: """
                EXAMPLE
                  consentlink keys rotate
                """
        )

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().post(
                "/v1/keyring/rotate", of: "key ring", having: ["id"],
                inDoubt: "A key may have been made all the same: see consentlink keys list.")
            Output(isJSON: options.json).show(answer) { ["Key \(answer["id"]?.text ?? "-") signs from now on."] }
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Forget a key: links signed with it are not found any more.",
            discussion: """
                Refused while such links may still be alive.

                EXAMPLE
                  consentlink keys retire 1
                """
        )

        @Argument(help: "The key's number in keys list.")
        var kid: UInt8

        @Flag(help: "Retire the key although its links may be alive.")
        var force = false

        @OptionGroup var options: APIOptions

        func run() async throws {
            let name = "key \(kid) in the key ring"
            try await options.client().perform(
                .POST, "/v1/keyring/\(kid)/retire", of: name,
                inDoubt: "It may be retired all the same: see consentlink keys list."
            ) { $0.member("force", force) }
            Output(isJSON: options.json).showDone(
                ["id": .integer(kid), "retired": .bool(true)], "Key \(kid) is retired.")
        }
    }
}
