import ConsentLinkClient
import JSON

/// Turns the recipients' file into the lines to send.
///
/// Each line of the file is sent as one line, with any content; the service says in its answer if it is no recipient.
/// So the answers have the order and the number of the file's lines.
struct RecipientReader: Sendable {
    enum Notation: Sendable {
        /// The line is the recipient, without the carriage return that some systems put before a line feed.
        ///
        /// - takesAll: whether it may begin with a quote, and begin or end with ``SurroundingWhitespace``. Most such
        ///   lines come from a table or from JSON, and their quotes and spaces would become part of the identifier:
        ///   another recipient, of whom nothing is known.
        case text(takesAll: Bool)
        /// The line is a JSON string.
        case json
    }

    /// In bytes. A longer line is cut, and is then still longer than the service accepts.
    private static let maximumLength = 8192
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let notation: Notation
    /// The beginning of a line whose end was not read yet.
    private var rest: [UInt8] = []
    /// The number of lines so far.
    private var lines = 0

    init(_ notation: Notation) { self.notation = notation }

    /// The lines that end in `piece`.
    mutating func read(_ piece: ArraySlice<UInt8>) throws(CommandFailure) -> LineBatch {
        var batch = LineBatch()
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if rest.isEmpty {
                try append(piece[start..<end], to: &batch)
            } else {
                keep(piece[start..<end])
                try append(rest[...], to: &batch)
                rest.removeAll(keepingCapacity: true)
            }
            start = end + 1
        }
        keep(piece[start...])
        return batch
    }

    /// The bytes after the last line feed, if there are any.
    mutating func last() throws(CommandFailure) -> LineBatch {
        var batch = LineBatch()
        if !rest.isEmpty { try append(rest[...], to: &batch) }
        rest = []
        return batch
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest.append(contentsOf: bytes.prefix(Self.maximumLength - rest.count))
    }

    private mutating func append(
        _ line: ArraySlice<UInt8>, to batch: inout LineBatch
    ) throws(CommandFailure) {
        var line = line.prefix(Self.maximumLength)
        lines += 1
        // Spreadsheets write a byte order mark; it would make the first recipient another one.
        if lines == 1, line.starts(with: Self.byteOrderMark) { line = line.dropFirst(Self.byteOrderMark.count) }
        switch notation {
        case .json: batch.appendLine { $0.append(contentsOf: line) }
        case .text(let takesAll):
            guard takesAll || line.first != UInt8(ascii: "\"") else { throw quoteFailure }
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            guard takesAll || !SurroundingWhitespace.surrounds(line) else { throw spaceFailure }
            // Bytes that are not UTF-8 stay unchanged, and the service refuses them.
            batch.appendLine { bytes in line.withUnsafeBufferPointer { bytes.appendJSONString($0) } }
        }
    }

    private var quoteFailure: CommandFailure {
        CommandFailure(
            """
            consentlink: line \(lines) of the recipients begins with a quote, which would be part of the recipient. Say \
            --json-lines when the lines are JSON strings; of a table take the one column, without its quotes; say --text \
            when the recipient does begin with a quote
            """, exitCode: ExitStatus.usage)
    }

    private var spaceFailure: CommandFailure {
        CommandFailure(
            """
            consentlink: line \(lines) of the recipients begins or ends with white space or an invisible character, \
            which would be part of the recipient. Take it away; say --text when it does belong to the recipient
            """, exitCode: ExitStatus.usage)
    }
}
