import ArgumentParser
import Identifiers

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Ask why people were tracked or not, and export the evidence.",
        discussion: """
            Without a subcommand it lists decisions: a table on a terminal, JSON lines otherwise.

            EXAMPLE
              echo ana@example.com | consentlink audit --org acme --recipient -
              consentlink audit --org acme --reason consentWithdrawn --from 2026-11-01 \\
                --csv > november.csv
              consentlink audit show 3357d7d9f4000001 --org acme
              consentlink audit export --org acme --output acme.tar
            """,
        subcommands: [AuditQuery.self, AuditShow.self, AuditExport.self],
        defaultSubcommand: AuditQuery.self
    )
}

/// The decisions to select.
struct AuditSelection: ParsableArguments {
    @Option(help: ArgumentHelp("The organization.", valueName: "id"))
    var org: String

    @Option(
        help: ArgumentHelp(
            "Only about this recipient; - reads it from standard input: ps and the history show arguments.",
            valueName: "recipient"))
    var recipient: String?

    @Option(help: ArgumentHelp("Of this message.", valueName: "id"))
    var message: String?

    @Option(
        help: ArgumentHelp(
            "From this moment on, as 2026-11-01T00:00:00Z; a date alone is its first moment in UTC.", valueName: "time")
    )
    var from: String?

    @Option(
        help: ArgumentHelp("Before this moment; before a date is until the end of the day before.", valueName: "time"))
    var to: String?

    /// The path of the organization, once ``members()`` has checked that it is an id.
    var path: String { "/v1/orgs/\(org)" }

    /// The members of the request, with the recipient from standard input.
    ///
    /// - Throws: `CommandFailure` if an id, a time or the recipient is invalid, or `CancellationError`.
    func members() async throws -> [(name: String, value: String)] {
        _ = try APIClient.segment(org, of: "--org")
        if let message { try Self.requireMessageID(message) }
        let recipient = recipient == "-" ? try await RecipientInput.read() : recipient
        let (from, to) = (try Self.instant(from, of: "--from"), try Self.instant(to, of: "--to"))
        if let from, let to, to.time < from.time {
            throw CommandFailure("consentlink: --to must not be before --from", exitCode: ExitStatus.usage)
        }
        return [("recipient", recipient), ("message", message), ("from", from?.text), ("to", to?.text)]
            .compactMap { name, value in value.map { (name, $0) } }
    }

    /// One of the words that an option accepts.
    static func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String?, as word: Word.Type, of what: String
    ) throws(CommandFailure) -> String? {
        guard let text, Word(rawValue: text) == nil else { return text }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure("consentlink: \(what) must be one of \(words)", exitCode: ExitStatus.usage)
    }

    private static func requireMessageID(_ text: String) throws(CommandFailure) {
        do throws(IdentifierError) { _ = try MessageID(text) } catch {
            throw CommandFailure("consentlink: --message must be the id of a message", exitCode: ExitStatus.usage)
        }
    }

    private static func instant(
        _ text: String?, of what: String
    ) throws(CommandFailure) -> (text: String, time: Timestamp)? {
        guard let text else { return nil }
        let instant = text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) == nil ? text : "\(text)T00:00:00Z"
        do throws(IdentifierError) { return (instant, try Timestamp(rfc3339: instant)) } catch {
            throw CommandFailure(
                "consentlink: \(what) must be a date such as 2026-11-01, or a time such as 2026-11-01T00:00:00Z",
                exitCode: ExitStatus.usage)
        }
    }
}
