import ArgumentParser
import ConsentLinkClient
import Foundation
import Glibc
import Identifiers
import JSON
import LocalFiles
import SystemPackage

struct Compose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Compose a message for any number of recipients: a payload for each, every decision stored.",
        discussion: """
            Each line of the recipients is answered with a line of JSON, in order: a payload, or why there is none \
            ({"error":…}). When the connection breaks, or the service restarts, it goes on by itself with the line \
            after the last answered one; when the command itself was ended, --resume does. FILE.compose beside the output \
            says which message it belongs to, so that --resume goes on with no other.

            Exits with 1 when a line was refused, and says which. The payloads of the others are there all the same.

            EXAMPLE
              echo '{"message":{"name":"sale","link":"https://shop.example/"},
                "format":"plain"}' > message.json
              consentlink compose message.json recipients.txt --org acme \\
                --output payloads.ndjson
            """
    )

    /// In bytes; the service accepts no longer request.
    private static let maximumMessage = 16 << 20

    @Argument(
        help: ArgumentHelp(
            "The request of POST …/payloads without recipients: message or messageId, format, platform.",
            valueName: "message.json"),
        completion: .file())
    var message: String

    @Argument(
        help: ArgumentHelp("A file with a recipient in each line; - is standard input.", valueName: "recipients"),
        completion: .file())
    var recipients: String

    @Option(help: ArgumentHelp("The organization.", valueName: "id"))
    var org: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where the answers go; - is standard output, the default.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Go on after the answers in --output.")
    var resume = false

    @Flag(help: "Each recipient is a JSON string, as in files that end in .ndjson or .jsonl.")
    var jsonLines = false

    @Flag(help: "Each line is a recipient as it is, a quote at its beginning and white space around it included.")
    var text = false

    @OptionGroup var patience: PatienceOption

    @OptionGroup var options: APIOptions

    func validate() throws {
        guard !resume || outputFile != nil else { throw ValidationError("--resume needs the --output to go on with.") }
        guard !text || !jsonLines else { throw ValidationError("Either --text or --json-lines.") }
    }

    func run() async throws {
        let api = try options.client()
        let order = try order()
        let organization = try organization()
        let path = "/v1/orgs/\(organization)/payloads"
        let source = try InputFile(path: recipients)
        var earlier = AnswerSplitter()
        var journal = outputFile.map { CampaignJournal(output: $0, organization: "\(organization)", order: order) }
        let file = try answerFile(&earlier, &journal)
        try await journal?.requireMessage(at: api)

        let exchange = LineExchange(
            transport: api.api.transport, path: path, order: order.serialized() + [UInt8(ascii: "\n")],
            patience: patience.duration)
        let campaign = Campaign(
            client: api, exchange: exchange, source: source, notation: notation, output: file,
            journal: journal, bar: ProgressBar())
        let answeredBefore = earlier.counts.lines
        let hint = { @Sendable [outputFile] in
            Self.hint(answered: answeredBefore + exchange.window.answeredCount, in: outputFile)
        }
        Interruption.end { hint() ?? "No line is answered." }
        do {
            let summary = try await campaign.run(after: earlier)
            try await file.sync()
            if summary.counts.lines == 0 {
                complain("There are no recipients in \(recipients == "-" ? "standard input" : recipients.shown).")
            }
            show(summary)
            if summary.counts.refused > 0 { throw ExitStatus.failed }
        } catch let failure as CommandFailure {
            throw failure.adding(hint())
        }
    }

    /// The file of the answers; `nil` for standard output, under any name.
    private var outputFile: String? {
        output.flatMap { $0 == "-" || FileStatus(following: $0)?.isSameFile(as: STDOUT_FILENO) == true ? nil : $0 }
    }

    /// - Parameters:
    ///   - earlier: gets the earlier answers.
    ///   - journal: the journal of a file.
    private func answerFile(
        _ earlier: inout AnswerSplitter, _ journal: inout CampaignJournal?
    ) throws(CommandFailure) -> AnswerFile {
        guard let outputFile else { return AnswerFile() }
        let file = try AnswerFile(path: outputFile, mayResume: resume)
        if resume { try file.resume(&earlier) }
        if earlier.counts.lines > 0 {
            try journal?.requireSame()
        } else if file.isFile {
            try journal?.begin()
        }
        return file
    }

    private var notation: RecipientReader.Notation {
        let isJSON = jsonLines || !text && recipients.isNameOfJSONLines
        return isJSON ? .json : .text(takesAll: text)
    }

    /// The first line of the request.
    private func order() throws -> JSONValue {
        let bytes: [UInt8]
        do throws(FileContent.Fault) {
            bytes = try FileContent.whole(message, upTo: Self.maximumMessage)
        } catch {
            throw CommandFailure("consentlink: cannot read \(message.shown): \(error)", exitCode: ExitStatus.usage)
        }
        do throws(JSONError) {
            return try JSONValue.parse(bytes)
        } catch {
            throw CommandFailure("consentlink: \(message.shown) cannot be read: \(error)", exitCode: ExitStatus.usage)
        }
    }

    private func organization() throws -> OrganizationID {
        do throws(IdentifierError) {
            return try OrganizationID(org)
        } catch {
            throw CommandFailure("consentlink: --org \(error)", exitCode: ExitStatus.usage)
        }
    }

    /// How to get the rest after a failure.
    private static func hint(answered: Int, in output: String?) -> String? {
        guard answered > 0 else { return nil }
        let count = answered.counted("line is answered", "lines are answered")
        return output.map { "\(count), in \($0.shown); --resume goes on with the next line" } ?? count
    }

    /// Writes to standard output, unless the payloads are there.
    private func show(_ summary: Campaign.Summary) {
        if options.json {
            if outputFile == nil { complain(TerminalText.escapedJSON(summary.json)) } else { sayJSON(summary.json) }
        } else if outputFile == nil {
            complain(summary.lines.joined(separator: "\n"))
        } else {
            for line in summary.lines { say(line) }
        }
    }
}

extension Campaign.Summary {
    fileprivate var lines: [String] {
        var lines = [
            "message   \(message)",
            "payloads  \(counts.payloads.grouped), \(counts.tracked.grouped) of them tracked",
        ]
        if !unsupportedMembers.isEmpty {
            lines.append("missing   \(unsupportedMembers.joined(separator: ", ")): the format has no place for this")
        }
        if counts.refused > 0 {
            lines.append("refused   \(counts.refused.grouped)")
            // A refusal has each invalid member in a line of its own.
            lines += counts.refusals.map { refusal in
                let parts = refusal.detail.split(separator: "\n").map { $0.drop { $0 == " " }.shown }
                return "  line \(refusal.line): \(parts.joined(separator: " "))"
            }
            let more = counts.refused - counts.refusals.count
            if more > 0 { lines.append("  and \(more.grouped) more") }
        }
        return lines
    }

    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("message", message)
            writer.key("unsupportedMembers")
            writer.array { writer in
                for member in unsupportedMembers { writer.string(member) }
            }
            writer.member("lines", counts.lines)
            writer.member("payloads", counts.payloads)
            writer.member("tracked", counts.tracked)
            writer.member("refused", counts.refused)
            writer.key("refusals")
            writer.array { writer in
                for refusal in counts.refusals {
                    writer.object { writer in
                        writer.member("line", refusal.line)
                        writer.member("status", refusal.status)
                        writer.member("detail", refusal.detail)
                    }
                }
            }
            writer.member("connections", connections)
        }
        return writer.bytes
    }
}
