/// All output of this command passes here: text from a file or an answer must not move the cursor, colour, reverse, or
/// look like a line of the command itself.
enum TerminalText {
    /// Whether a terminal may act on it, or show the neighbouring text in another place: controls (C0, C1 and DEL),
    /// formats such as the bidirectional ones, and the separators of lines and paragraphs.
    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The text with each such character as `\u{1B}`.
    static func escaped(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isActive) else { return String(text) }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isActive(scalar) else {
                shown.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            shown.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
        }
        return String(shown)
    }

    /// A message of several lines in which arguments of the command line, and values after an equals sign, are escaped.
    /// An argument that has only white space is not escaped: the message has white space between its own words and
    /// lines, too.
    static func escaping(_ arguments: [String], in message: String) -> String {
        let values = arguments.compactMap { argument in
            argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
        }
        return (arguments + values).reduce(message) { message, argument in
            let isBlank = argument.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            guard !isBlank, argument.unicodeScalars.contains(where: isActive) else { return message }
            return message.replacing(argument, with: escaped(argument))
        }
    }

    /// JSON in which active characters are escaped. It stays equal JSON: such characters can only occur in its strings.
    static func escapedJSON(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isActive) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isActive(scalar), scalar != "\n" else {
                shown.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? .init() {
                let digits = String(unit, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                shown.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            }
        }
        return String(shown)
    }
}

extension StringProtocol {
    /// The text for a terminal: in one line, and only visible characters.
    var shown: String { TerminalText.escaped(self) }
}

/// Writes a line to standard output. If the answer cannot be written, the command ends with an error
/// (``StandardStream``).
func say(_ line: String) { writeAnswer(Array((line.shown + "\n").utf8)) }

/// Writes a document, or JSON lines, to standard output.
func sayJSON(_ json: [UInt8]) { writeAnswer(Array((TerminalText.escapedJSON(json) + "\n").utf8)) }

/// Writes bytes to standard output unchanged. Does not return if they cannot be written.
func writeAnswer(_ bytes: [UInt8]) {
    do { try StandardStream.output.write(bytes) } catch { error.endCommand() }
}

/// Writes to standard error. Lines of `text` end where this command ended them: text from other sources is ``shown``
/// before it is inserted.
func complain(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.shown)
    StandardStream.error.tell(lines.joined(separator: "\n") + "\n")
}
