import ArgumentParser
import JSON
import NIOHTTP1

struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "The nodes that share a PostgreSQL database.",
        discussion: """
            EXAMPLE
              consentlink node list
              consentlink node remove links-3
            """,
        subcommands: [List.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the nodes, and how far each has followed the others.",
            discussion: """
                EXAMPLE
                  consentlink node list --json
                """
        )

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().get(
                "/v1/nodes", of: "list of nodes", having: [.list("nodes")])
            Output(isJSON: options.json).show(answer) {
                let names = ["name", "slot", "state", "version", "lastSeenSeconds", "changesBehind", "spooled"]
                let rows = (answer["nodes"]?.elements ?? []).map { node in names.map { node[$0]?.text ?? "-" } }
                return Output.table([["NODE", "SLOT", "STATE", "VERSION", "SEEN S AGO", "BEHIND", "SPOOLED"]] + rows)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a node that does not come back. Its data folder can be used no more.",
            discussion: """
                Refused while the node runs, and while clicks are in its spool or may be: a node that did not say \
                that it ended may have spooled clicks since it was last seen.

                EXAMPLE
                  consentlink node remove links-3
                """
        )

        @Argument(help: "The node's name in node list.")
        var name: String

        @Flag(help: "Forget the node although clicks are in its spool or may be, which are lost.")
        var force = false

        @OptionGroup var options: APIOptions

        func run() async throws {
            let path = "/v1/nodes/\(try APIClient.segment(name, of: "the node's name"))\(force ? "?force=true" : "")"
            try await options.client().perform(
                .DELETE, path, of: "node \(name)",
                inDoubt: "It may be forgotten all the same: see consentlink node list.")
            Output(isJSON: options.json).showDone(
                ["name": .string(name), "removed": .bool(true)], "Node \(name) is forgotten.")
        }
    }
}
