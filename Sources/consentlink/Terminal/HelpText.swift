import Glibc

/// The text of help and of wrong usage. ArgumentParser wraps all of it but the usage, which it writes in one line.
enum HelpText {
    /// How many columns a line may have: `COLUMNS`, or those of the terminal, or 80. ArgumentParser takes the same.
    static var columns: Int {
        if let set = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), set > 0 { return set }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The text with its usage in lines of at most `columns` characters. What stands in brackets, and an option with
    /// its value, stay in one line, also where that is longer.
    static func wrapped(_ text: String, columns: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            guard let heading = ["USAGE: ", "Usage: "].first(where: line.hasPrefix) else { return String(line) }
            return wrapped(parts(of: line.dropFirst(heading.count)), after: heading, columns: columns)
        }.joined(separator: "\n")
    }

    private static func wrapped(_ parts: [String], after heading: String, columns: Int) -> String {
        let indent = String(repeating: " ", count: heading.count)
        var lines: [String] = []
        var line = heading
        for part in parts {
            if line.count == heading.count {
                line += part
            } else if line.count + 1 + part.count <= columns {
                line += " \(part)"
            } else {
                lines.append(line)
                line = indent + part
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// The words of a usage; those of a pair of brackets, and an option's name and value, are one.
    private static func parts(of usage: Substring) -> [String] {
        var parts: [String] = []
        var depth = 0
        for word in usage.split(separator: " ") {
            let isValue = word.hasPrefix("<") && parts.last?.hasPrefix("--") == true
            if depth > 0 || isValue, let last = parts.popLast() {
                parts.append("\(last) \(word)")
            } else {
                parts.append(String(word))
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return parts
    }
}
