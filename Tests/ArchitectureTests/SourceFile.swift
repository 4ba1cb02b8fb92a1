import Foundation

/// A line that breaks a rule, so that who reads the failure can go there.
struct Violation: Equatable, CustomStringConvertible {
    let place: String
    let problem: String

    var description: String { "\(place): \(problem)" }
}

/// One file of the sources, as the rules look at it.
struct SourceFile: Sendable {
    /// From the repository's root: `Sources/Consent/Decisions/ConsentPolicy.swift`.
    let path: String
    let text: String
    let lineCount: Int
    /// The lines without their comments, numbered from 1.
    let code: [(text: String, line: Int)]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        lineCount = lines.count
        code = Self.withoutComments(lines)
    }

    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    var folders: [String] { path.split(separator: "/").dropFirst(2).dropLast().map(String.init) }

    func place(_ line: Int) -> String { "\(path):\(line)" }

    /// The modules that a Swift file imports, and the lines on which it does.
    var imports: [(module: String, line: Int)] {
        let importLine = Self.importLine
        return code.compactMap { text, line in
            guard text.contains("import"), let found = text.firstMatch(of: importLine) else { return nil }
            return (String(found.1), line)
        }
    }

    // A regex is compiled when it is first matched, and is not Sendable: one is made for each file, not for each line.

    private static var importLine: Regex<(Substring, Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?([A-Za-z_]\w*)/
    }

    private static var stringLiteral: Regex<Substring> { /"(?:[^"\\]|\\.)*"/ }

    private static func withoutComments(_ lines: [String]) -> [(text: String, line: Int)] {
        let stringLiteral = Self.stringLiteral
        let commentStart = /\/[\/*]/
        var isInComment = false
        return lines.enumerated().map { number, line in
            var text = ""
            // A string may hold what looks like the beginning of a comment: a URL, or the Accept header of curl.
            let mayMislead = !isInComment && line.contains("\"") && line.contains("/")
            var rest = mayMislead && !line.contains("#") ? line.replacing(stringLiteral, with: "\"\"")[...] : line[...]
            while !rest.isEmpty {
                if isInComment {
                    guard let end = rest.firstRange(of: "*/") else { break }
                    isInComment = false
                    rest = rest[end.upperBound...]
                } else {
                    guard rest.utf8.contains(UInt8(ascii: "/")), let start = rest.firstMatch(of: commentStart) else {
                        text += rest
                        break
                    }
                    text += rest[..<start.startIndex]
                    guard start.0 == "/*" else { break }
                    isInComment = true
                    rest = rest[start.endIndex...]
                }
            }
            return (text, number + 1)
        }
    }
}

/// The repository that this file lies in.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let read = Result { try readSources() }

    /// Every file under `Sources`, in order of path, as it was when it was first asked for.
    static func sources() throws -> [SourceFile] { try read.get() }

    private static func readSources() throws -> [SourceFile] {
        let folder = root.appending(path: "Sources")
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [SourceFile] = []
        for case let url as URL in all ?? .init() {
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let path = url.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count + 1)
            files.append(SourceFile(path: String(path), text: try String(contentsOf: url, encoding: .utf8)))
        }
        return files.sorted { $0.path < $1.path }
    }
}
