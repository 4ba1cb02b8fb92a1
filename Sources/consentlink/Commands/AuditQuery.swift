import ArgumentParser
import Consent
import ConsentLinkClient
import Foundation
import JSON

struct AuditQuery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "List decisions, oldest first.",
        discussion: """
            EXAMPLE
              consentlink audit --org acme --outcome untracked --limit 20
            """
    )

    @OptionGroup var selection: AuditSelection

    @Option(help: ArgumentHelp("tracked or untracked.", valueName: "outcome"))
    var outcome: String?

    @Option(help: ArgumentHelp("consentGiven, consentWithdrawn, noConsentRecord, …", valueName: "reason"))
    var reason: String?

    @Option(
        help: ArgumentHelp("Greatest number of decisions. (default: 100 in a table, otherwise all)", valueName: "n"))
    var limit: Int?

    @Flag(help: "CSV with a line of headings.")
    var csv = false

    @OptionGroup var access: AccessReasonOption

    @OptionGroup var options: APIOptions

    private static let rowsOfTable = 100

    func validate() throws {
        guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be at least 1.") }
        guard !csv || !options.json else { throw ValidationError("Either --csv or --json.") }
    }

    func run() async throws {
        let client = try options.client(giving: access.accessReason)
        let choices = [
            ("outcome", try AuditSelection.choice(outcome, as: DecisionOutcome.self, of: "--outcome")),
            ("reason", try AuditSelection.choice(reason, as: DecisionReason.self, of: "--reason")),
        ]
        let members =
            try await selection.members()
            + choices.compactMap { name, value in value.map { (name: name, value: $0) } }
        if !csv, !options.json, isatty(STDOUT_FILENO) == 1 {
            try await showTable(client, members)
        } else {
            try await showLines(client, members)
        }
    }

    private func showLines(_ client: APIClient, _ members: [(name: String, value: String)]) async throws {
        // The first line of CSV has the headings.
        var lines = LineLimit(lines: limit.map { min($0, .max - 1) + (csv ? 1 : 0) })
        var output = TerminalStream(of: csv ? .text : .json)
        let path = "\(selection.path)/decisions/query"
        func fill(_ writer: inout JSONWriter) { for (name, value) in members { writer.member(name, value) } }
        func take(_ piece: [UInt8]) -> Bool {
            let (bytes, isLast) = lines.take(piece)
            output.write(bytes)
            return !isLast
        }
        do {
            if csv {
                try await client.stream(path, of: organization, accept: "text/csv", fill, take)
                guard lines.count > 0, !lines.isMidLine else {
                    throw await client.failure(.brokenOff(reason: "the last line has no end"), of: nil)
                }
            } else {
                try await client.streamLines(path, of: organization, fill, take)
            }
        } catch let failure as CommandFailure {
            output.finish()
            throw failure.adding(lines.count > 0 ? "The list is not whole." : nil)
        }
        output.finish()
        if lines.count <= (csv ? 1 : 0) { try await sayThatNoneFits(client) }
    }

    private var organization: String { "organization \(selection.org)" }

    /// An empty list does not show whether the message exists at all.
    private func sayThatNoneFits(_ client: APIClient) async throws {
        if let message = selection.message {
            _ = try await client.get(
                "\(selection.path)/messages/\(message)", of: "message \(message) of \(organization)", having: ["id"])
        }
        complain("No decision fits.")
    }

    private func showTable(_ client: APIClient, _ members: [(name: String, value: String)]) async throws {
        let wanted = limit ?? Self.rowsOfTable
        var rows = [["DECIDED", "OUTCOME", "REASON", "RECIPIENT", "MESSAGE", "DECISION"]]
        var after: String?
        repeat {
            let answer = try await client.post(
                "\(selection.path)/decisions/query", of: organization, having: [.list("decisions")]
            ) { writer in
                for (name, value) in members { writer.member(name, value) }
                if let after { writer.member("after", after) }
                writer.member("limit", min(wanted - (rows.count - 1), 1000))
            }
            for decision in answer["decisions"]?.elements ?? [] {
                rows.append(
                    ["decidedAt", "outcome", "reason", "recipient", "message", "id"].map { decision[$0]?.text ?? "-" })
            }
            after = if case .string(let next) = answer["next"] { next } else { nil }
        } while after != nil && rows.count <= wanted
        if rows.count == 1 { return try await sayThatNoneFits(client) }
        for line in Output.table(rows) { say(line) }
        if after != nil { complain("There are more; --limit shows them, and > FILE writes all.") }
    }
}

/// Passes on at most a given number of lines.
struct LineLimit {
    private var left: Int?
    /// How many lines were passed on.
    private(set) var count = 0
    /// Whether the last line that was passed on has no end.
    private(set) var isMidLine = false

    init(lines: Int?) { left = lines }

    /// - Returns: the part of `piece` to pass on, and whether it is the last.
    mutating func take(_ piece: [UInt8]) -> (bytes: ArraySlice<UInt8>, isLast: Bool) {
        if let last = piece.last { isMidLine = last != UInt8(ascii: "\n") }
        guard var left else {
            count += piece.count { $0 == UInt8(ascii: "\n") }
            return (piece[...], false)
        }
        for position in piece.indices where piece[position] == UInt8(ascii: "\n") {
            left -= 1
            count += 1
            if left == 0 {
                self.left = 0
                isMidLine = false
                return (piece[...position], true)
            }
        }
        self.left = left
        return (piece[...], false)
    }
}
