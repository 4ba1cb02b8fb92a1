import ArgumentParser
import Consent
import Identifiers
import JSON
import Organizations

struct Org: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "org",
        abstract: "Make organizations and their keys.",
        discussion: """
            EXAMPLE
              consentlink org create acme --enforcement restrictive
              consentlink org key acme --scope compose --scope consent
            """,
        subcommands: [Create.self, Key.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make an organization. Its first key, with all scopes, is shown once.",
            discussion: """
                EXAMPLE
                  consentlink org create acme --enforcement restrictive --name "Acme Ltd"
                  consentlink org create acme --enforcement restrictive \\
                    --interactions-days 400 --decisions-days forever
                """
        )

        @Argument(help: "1 to 64 characters of A-Z a-z 0-9 . _ -")
        var id: String

        @Option(
            help: """
                restrictive: only recipients who consented are tracked. nonRestrictive: all except those who said no.
                """)
        var enforcement: Enforcement

        @Option(help: "Display name. (default: the id)")
        var name: String?

        @Option(
            help: "email: spellings of one e-mail address are one recipient. exact: each spelling is one. For good."
        )
        var identifiers = RecipientComparison.email

        @Option(help: "For how many days interactions are kept, or forever. (default: 760)")
        var interactionsDays: RetentionPeriod?

        @Option(help: "For how many days decisions name their recipient, or forever. (default: 1825)")
        var decisionsDays: RetentionPeriod?

        @Flag(help: "Refuse a given consent that does not say how it was given, and after which notice.")
        var requireEvidence = false

        @Option(help: "Your own page on which people can agree, https://…; the page of the untracked links to it.")
        var consentURL: String?

        @Option(help: "For how many days a recipient is not asked again after a no and after silence. (default: 180)")
        var askAgainAfterDays: Int?

        @OptionGroup var options: APIOptions

        func run() async throws {
            let made = try await options.client().post(
                "/v1/orgs", of: "private API", having: ["id", "key.key"],
                inDoubt: """
                    The organization may have been made all the same: GET /v1/orgs/\(id.shown) says whether it was. \
                    Its key is lost: make another with consentlink org key \(id.shown), and delete the first one.
                    """
            ) { writer in
                writer.member("id", id)
                writer.member("identifiers", identifiers.rawValue)
                writer.member("enforcement", enforcement.rawValue)
                if let name { writer.member("name", name) }
                if interactionsDays != nil || decisionsDays != nil {
                    writer.key("retention")
                    writer.object { writer in
                        writer.present("interactionsDays", interactionsDays)
                        writer.present("decisionsDays", decisionsDays)
                    }
                }
                if requireEvidence { writer.member("requireEvidence", true) }
                if let consentURL { writer.member("consentUrl", consentURL) }
                if let askAgainAfterDays { writer.member("askAgainAfterDays", askAgainAfterDays) }
            }
            let key = (made["key"]?["id"]?.text ?? "-").shown
            let lost = "Organization \(id.shown) was made. Its key is lost: delete the key \(key), and make another."
            try Output(isJSON: options.json).showOnce(made, lost: lost) {
                [
                    "organization  \(made["id"]?.text ?? "-")",
                    "enforcement   \(made["enforcement"]?.text ?? "-")",
                    "identifiers   \(made["identifiers"]?.text ?? "-")",
                    "interactions  kept \(Self.period(made, "interactionsDays"))",
                    "decisions     about people \(Self.period(made, "decisionsDays"))",
                    "evidence      \(made["requireEvidence"] == .bool(true) ? "required" : "not required")",
                    "consent page  \(made["consentUrl"].flatMap { $0 == .null ? nil : $0.text } ?? "none")",
                    "asked again   after \(made["askAgainAfterDays"]?.text ?? "-") days",
                    "key           \(made["key"]?["key"]?.text ?? "-")",
                    "The key is not shown again.",
                ]
            }
        }

        private static func period(_ made: JSONValue, _ member: String) -> String {
            let period = made["retention"]?[member]?.text ?? "-"
            return Int(period) == nil ? period : "\(period) days"
        }
    }

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "Make a key for an organization. It is shown once.",
            discussion: """
                EXAMPLE
                  consentlink org key acme --scope read --name auditor
                """
        )

        @Argument(help: "The organization.")
        var id: String

        @Option(help: "compose, consent, read, manage, report or deliver; once for each scope.")
        var scope: [Scope]

        @Option(help: "Name of the key, to tell it apart from others.")
        var name: String?

        @OptionGroup var options: APIOptions

        func run() async throws {
            let path = "/v1/orgs/\(try APIClient.segment(id, of: "the organization's id"))/keys"
            let made = try await options.client().post(
                path, of: "organization \(id)", having: ["id", "key"],
                inDoubt: "A key may have been made all the same, and is lost: GET \(path) lists the keys. Delete it."
            ) { writer in
                writer.key("scopes")
                writer.array { writer in
                    for scope in scope { writer.string(scope.rawValue) }
                }
                if let name { writer.member("name", name) }
            }
            let key = (made["id"]?.text ?? "-").shown
            let lost = "The key \(key) of organization \(id.shown) was made, and is lost: delete it."
            try Output(isJSON: options.json).showOnce(made, lost: lost) {
                [
                    "id      \(made["id"]?.text ?? "-")",
                    "scopes  \((made["scopes"]?.elements ?? []).map(\.text).joined(separator: ", "))",
                    "key     \(made["key"]?.text ?? "-")",
                    "The key is not shown again.",
                ]
            }
        }
    }
}

extension Enforcement: ExpressibleByArgument {}
extension RecipientComparison: ExpressibleByArgument {}
extension Scope: ExpressibleByArgument {}
