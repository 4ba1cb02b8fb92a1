import ArgumentParser

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask why people were tracked or not, and export the evidence.",
        discussion: """
            Without a subcommand it lists decisions: a table on a terminal, JSON lines otherwise.

            EXAMPLE
              echo ana@example.com | consentlink audit --org acme --recipient -
              consentlink audit --org acme --reason consentWithdrawn --from 2026-11-01T00:00:00Z --csv > november.csv
              consentlink audit export --org acme --output acme.tar
            """,
        subcommands: [AuditQuery.self, AuditExport.self],
        defaultSubcommand: AuditQuery.self
    )
}

/// Which decisions are asked for.
struct AuditSelection: ParsableArguments {
    @Option(help: ArgumentHelp("The organization.", valueName: "id"))
    var org: String

    @Option(
        help: ArgumentHelp(
            "About whom; - reads it from standard input, for what stands here others see in ps and in the history.",
            valueName: "recipient"))
    var recipient: String?

    @Option(help: ArgumentHelp("Of this message.", valueName: "id"))
    var message: String?

    @Option(help: ArgumentHelp("From this moment on, as 2026-11-01T00:00:00Z.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("Before this moment.", valueName: "time"))
    var to: String?

    var path: String { "/v1/orgs/\(org)" }

    /// The members of the request, with whoever is named on standard input.
    func members() throws(CommandFailure) -> [(name: String, value: String)] {
        guard org.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        else {
            throw CommandFailure(
                "consentlink: --org has characters that no organization's id has", exitCode: ExitStatus.usage)
        }
        var recipient = recipient
        if recipient == "-" {
            guard let line = readLine(), !line.isEmpty else {
                throw CommandFailure(
                    "consentlink: --recipient - wants a recipient on standard input", exitCode: ExitStatus.usage)
            }
            recipient = line
        }
        return [("recipient", recipient), ("message", message), ("from", from), ("to", to)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }
}
