import ArgumentParser
import JSON

/// The commands that print an endpoint's secret, once.
extension EndpointCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make an endpoint, and print its secret once.",
            discussion: """
                EXAMPLE
                  consentlink endpoint create acme https://crm.example/hooks \\
                    --kind consent.recorded --include recipient
                """
        )

        @Argument(help: "The organization's id.")
        var org: String

        @Argument(help: "URL that events are sent to.")
        var url: String

        @Option(
            help: ArgumentHelp(
                """
                consent.recorded, recipient.erased, message.disabled, interactions.available or endpoint.failing; may be \
                given several times.
                """, valueName: "kind"))
        var kind: [String]

        @Option(help: ArgumentHelp("recipient: events name the recipient that they are about.", valueName: "member"))
        var include: [String] = []

        @OptionGroup var options: APIOptions

        func run() async throws {
            let path = try NamedEndpoint.path(of: org)
            let made = try await options.client().post(
                path, of: "organization \(org)", having: ["id", "secret"],
                inDoubt: """
                    An endpoint may have been made all the same: see consentlink endpoint list \(org). Its secret is \
                    lost: delete the endpoint with consentlink endpoint delete.
                    """
            ) { writer in
                writer.member("url", url)
                writer.key("kinds")
                writer.array { writer in for name in kind { writer.string(name) } }
                writer.key("include")
                writer.array { writer in for name in include { writer.string(name) } }
            }
            let endpoint = (made["id"]?.text ?? "-").shown
            let lost = """
                The endpoint \(endpoint) was made, and its secret is lost. Make another one with consentlink \
                endpoint secret \(org) \(endpoint).
                """
            try Output(isJSON: options.json).showOnce(made, lost: lost) {
                ["Endpoint \(made["id"]?.text ?? "-")", "secret, shown once: \(made["secret"]?.text ?? "-")"]
            }
        }
    }

    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret",
            abstract: "Make another secret for an endpoint, and print it once.",
            discussion: """
                For a day, deliveries are also signed with the former secret, so that the receiver can change over.

                EXAMPLE
                  consentlink endpoint secret acme 3440a67a37cb65a7
                """
        )

        @OptionGroup var endpoint: NamedEndpoint

        @OptionGroup var options: APIOptions

        func run() async throws {
            let again = "Run the command again; the receiver's secret stays valid for a day from then."
            let made = try await options.client().post(
                "\(try endpoint.path)/secret", of: endpoint.name, having: ["secret"],
                inDoubt: "Another secret may have been made all the same. \(again)")
            let lost = "Another secret was made, and is lost. \(again)"
            try Output(isJSON: options.json).showOnce(made, lost: lost) {
                [
                    "Endpoint \(endpoint.id)", "secret, shown once: \(made["secret"]?.text ?? "-")",
                    "the former one is valid until \(made["formerSecretUntil"]?.text ?? "-")",
                ]
            }
        }
    }
}
