import ArgumentParser
import ConsentLinkClient
import JSON

/// The recipient in the first line of standard input, read as `compose` reads its recipients.
enum RecipientInput {
    static func read() async throws -> String {
        let source = try InputFile(path: "-")
        var reader = RecipientReader(.text(takesAll: true))
        var lines = LineBatch()
        while lines.isEmpty {
            guard let piece = try await source.next() else {
                lines = try reader.last()
                break
            }
            lines = try reader.read(piece[...])
        }
        guard !lines.isEmpty else { throw nobody }
        // What the reader writes is JSON where the line is UTF-8.
        guard case .string(let recipient)? = try? JSONValue.parse(lines.line(at: 0)) else {
            throw failure("the recipient on standard input is not UTF-8")
        }
        guard !recipient.isEmpty else { throw nobody }
        return recipient
    }

    private static var nobody: CommandFailure { failure("--recipient - wants a recipient on standard input") }

    private static func failure(_ text: String) -> CommandFailure {
        CommandFailure("consentlink: \(text)", exitCode: ExitStatus.usage)
    }
}
