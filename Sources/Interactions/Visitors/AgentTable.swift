import ASCII

/// The table of user agents, `agents.tsv`, which the build embeds.
struct AgentTable: Sendable {
    struct Row: Sendable {
        /// In lower case.
        let word: String
        /// Whether the word must be the whole user agent, and not a part of it.
        let isWhole: Bool
        let meaning: AgentMeaning
        let source: String
        let example: String
    }

    static let known: AgentTable = {
        guard let table = AgentTable(parsing: String(decoding: PackageResources.agents_tsv, as: UTF8.self)) else {
            preconditionFailure("agents.tsv has a line that is not one of its table")
        }
        return table
    }()

    let rows: [Row]
    private let words: AhoCorasick
    private let meanings: [AgentMeaning]
    private let whole: [(agent: [UInt8], meaning: AgentMeaning)]

    /// - Returns: `nil` if a line is neither a comment nor a row.
    init?(parsing text: String) {
        var rows: [Row] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let row = Row(line) else { return nil }
            rows.append(row)
        }
        let parts = rows.filter { !$0.isWhole }
        self.rows = rows
        words = AhoCorasick(words: parts.map { Array($0.word.utf8) })
        meanings = parts.map(\.meaning)
        whole = rows.filter(\.isWhole).map { (Array($0.word.utf8), $0.meaning) }
    }

    /// The meaning in the first row that fits. Every click calls this, so it reads each byte once and allocates
    /// nothing.
    func meaning(of userAgent: Span<UInt8>) -> AgentMeaning {
        if let word = words.firstWord(in: userAgent) { return meanings[word] }
        for (agent, meaning) in whole where userAgent.isSame(as: agent) { return meaning }
        return .browser
    }
}

extension AgentTable.Row {
    init?(_ line: Substring) {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard cells.count == 5, cells.allSatisfy({ !$0.isEmpty }), cells[0] == cells[0].lowercased(), cells[0] != "=",
            let opening = Visitor(cell: cells[1]), let following = Visitor(cell: cells[2])
        else { return nil }
        isWhole = cells[0].hasPrefix("=")
        word = String(isWhole ? cells[0].dropFirst() : cells[0])
        meaning = AgentMeaning(opening: opening, following: following)
        (source, example) = (String(cells[3]), String(cells[4]))
    }
}

extension Visitor {
    /// - Parameter cell: class and reason, as in `machine crawlerAgent`.
    fileprivate init?(cell: Substring) {
        let found = Visitor.allCases.first { "\($0.class) \($0.reason)" == cell }
        guard let found, found.reason != .notKept else { return nil }
        self = found
    }
}

extension Span<UInt8> {
    /// - Parameter word: in lower case. Upper-case letters of this text match it.
    fileprivate func isSame(as word: [UInt8]) -> Bool {
        guard count == word.count else { return false }
        for index in indices where self[index].lowerCased != word[index] { return false }
        return true
    }
}
