import Glibc

/// Writes lines of an answer to standard output: unchanged into a pipe or a file, and without active characters to a
/// terminal.
struct TerminalStream {
    enum Content {
        case json
        case text
    }

    private let content: Content
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    /// The beginning of a line whose end has not arrived.
    private var rest: [UInt8] = []

    init(of content: Content) { self.content = content }

    mutating func write(_ piece: some Collection<UInt8>) {
        guard isTerminal else { return writeAnswer(Array(piece)) }
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        show(rest[..<end])
        rest.removeFirst(end + 1)
    }

    mutating func finish() {
        if !rest.isEmpty { show(rest[...]) }
        rest = []
    }

    private func show(_ lines: ArraySlice<UInt8>) {
        for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            switch content {
            case .json: sayJSON(Array(line))
            // A line of CSV ends with CR LF (RFC 4180).
            case .text: say(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self))
            }
        }
    }
}
