import ArgumentParser
import JSON
import NIOHTTP1

struct EndpointCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint",
        abstract: "The endpoints of an organization, to which events are delivered.",
        discussion: """
            EXAMPLE
              consentlink endpoint create acme https://crm.example/hooks \\
                --kind consent.recorded
              consentlink endpoint list acme
              consentlink endpoint attempts acme 3440a67a37cb65a7
            """,
        subcommands: [
            Create.self, List.self, Attempts.self, Test.self, Enable.self, Disable.self, Secret.self, Delete.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the endpoints of an organization.",
            discussion: """
                EXAMPLE
                  consentlink endpoint list acme --json
                """
        )

        @Argument(help: "The organization's id.")
        var org: String

        @OptionGroup var options: APIOptions

        func run() async throws {
            let path = try NamedEndpoint.path(of: org)
            let answer = try await options.client().get(
                path, of: "organization \(org)", having: [.list("endpoints")])
            Output(isJSON: options.json).show(answer) {
                let names = ["id", "state", "failures", "nextAttemptAt", "url"]
                let rows = (answer["endpoints"]?.elements ?? []).map { item in names.map { item[$0]?.text ?? "-" } }
                return Output.table([["ENDPOINT", "STATE", "FAILURES", "NEXT ATTEMPT", "URL"]] + rows)
            }
        }
    }

    struct Attempts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "attempts",
            abstract: "List the last attempts to deliver to an endpoint, with neither side's body.",
            discussion: """
                EXAMPLE
                  consentlink endpoint attempts acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().get(
                "\(try endpoint.path)/attempts", of: endpoint.name, having: [.list("attempts")])
            Output(isJSON: options.json).show(answer) {
                let names = ["at", "kind", "status", "reason", "milliseconds"]
                let rows = (answer["attempts"]?.elements ?? []).map { item in names.map { item[$0]?.text ?? "-" } }
                return Output.table([["AT", "KIND", "STATUS", "REASON", "MS"]] + rows)
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Have a test event sent to an endpoint.",
            discussion: """
                EXAMPLE
                  consentlink endpoint test acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().post(
                "\(try endpoint.path)/test", of: endpoint.name, having: ["webhookId"],
                inDoubt: """
                    The event may be sent all the same: see consentlink endpoint attempts \(endpoint.org) \(endpoint.id).
                    """)
            Output(isJSON: options.json).show(answer) { ["Sent next: \(answer["webhookId"]?.text ?? "-")"] }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Switch an endpoint on: it goes on where it stopped.",
            discussion: """
                EXAMPLE
                  consentlink endpoint enable acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().post(
                "\(try endpoint.path)/enable", of: endpoint.name, having: ["state"])
            Output(isJSON: options.json).show(answer) { ["Endpoint \(endpoint.id) is enabled."] }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Switch an endpoint off. It loses nothing.",
            discussion: """
                EXAMPLE
                  consentlink endpoint disable acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            let answer = try await options.client().post(
                "\(try endpoint.path)/disable", of: endpoint.name, having: ["state"])
            Output(isJSON: options.json).show(answer) {
                ["Endpoint \(endpoint.id) is \(answer["state"]?.text ?? "-")."]
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete an endpoint. It never gets the events that were not sent to it yet.",
            discussion: """
                EXAMPLE
                  consentlink endpoint delete acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            try await options.client().perform(
                .DELETE, try endpoint.path, of: endpoint.name,
                inDoubt: "It may be deleted all the same: see consentlink endpoint list \(endpoint.org).")
            Output(isJSON: options.json).showDone(
                ["id": .string(endpoint.id), "deleted": .bool(true)], "Endpoint \(endpoint.id) is deleted.")
        }
    }
}

/// An endpoint of an organization.
struct NamedEndpoint: ParsableArguments {
    @Argument(help: "The organization's id.")
    var org: String

    @Argument(help: "The endpoint's id.")
    var id: String

    var path: String {
        get throws(CommandFailure) { "\(try Self.path(of: org))/\(try APIClient.segment(id, of: "the endpoint's id"))" }
    }
    var name: String { "endpoint \(id)" }

    /// The path of all endpoints of an organization.
    static func path(of organization: String) throws(CommandFailure) -> String {
        "/v1/orgs/\(try APIClient.segment(organization, of: "the organization's id"))/endpoints"
    }
}
