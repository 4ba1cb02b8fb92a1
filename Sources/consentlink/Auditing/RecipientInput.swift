import ArgumentParser
import ConsentLinkClient
import Glibc
import JSON

/// The recipient on standard input, read like the recipients of `compose`.
enum RecipientInput {
    /// Reads to the end of the input; from a terminal only the first line.
    ///
    /// - Throws: `CommandFailure` unless there is exactly one line.
    static func read() async throws -> String {
        let source = try InputFile(path: "-")
        var reader = RecipientReader(.text(takesAll: true))
        var found: [LineBatch] = []
        while found.isEmpty || isatty(STDIN_FILENO) == 0 {
            let piece = try await source.next()
            let lines = try piece.map { try reader.read($0[...]) } ?? reader.last()
            if !lines.isEmpty { found.append(lines) }
            guard piece != nil, found.count < 2 else { break }
        }
        guard let lines = found.first else { throw nobody }
        guard found.count == 1, lines.count == 1 else {
            throw failure("--recipient - takes one recipient, not several")
        }
        // The reader writes valid JSON if the line is UTF-8.
        guard case .string(let recipient)? = try? JSONValue.parse(lines.line(at: 0)) else {
            throw failure("the recipient on standard input is not UTF-8")
        }
        guard !recipient.isEmpty else { throw nobody }
        return recipient
    }

    private static var nobody: CommandFailure { failure("--recipient - needs a recipient on standard input") }

    private static func failure(_ text: String) -> CommandFailure {
        CommandFailure("consentlink: \(text)", exitCode: ExitStatus.usage)
    }
}
