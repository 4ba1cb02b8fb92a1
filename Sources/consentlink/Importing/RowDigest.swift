import Cryptography

/// A digest over rows, one by one: of what stands in them and in which lines, wherever a batch of them ends.
struct RowDigest: Equatable {
    /// What it takes of a row that was refused.
    enum Rule {
        case bytes
        /// Why it was refused alone, as in journals of version 2: what was changed in the row is not noticed.
        case reason
    }

    private let rule: Rule
    /// None before the first row.
    private var bytes: [UInt8] = []

    /// Of no rows.
    init(_ rule: Rule = .bytes) { self.rule = rule }

    /// - Returns: `nil` for what ``text`` never is.
    init?(_ text: String, _ rule: Rule = .bytes) {
        guard let decoded = try? Hexadecimal.decode(text), [0, SHA256.hashLength].contains(decoded.count) else {
            return nil
        }
        self.rule = rule
        bytes = decoded
    }

    var text: String { Hexadecimal.encode(bytes) }

    mutating func add(_ rows: [ImportRow]) {
        var hash = SHA256()
        for row in rows {
            hash.update(bytes)
            hash.update(row.digested(by: rule))
            bytes = hash.finish()
        }
    }
}

/// The digest of journals of version 1: over batches. Where they ended must be known to make it again.
struct BatchDigest: Equatable {
    private(set) var text: String
    /// Where batches ended whatever their size, in rows, the least first.
    private let ends: [Int]

    /// - Parameter ends: where runs found the end of the file.
    init(_ text: String, ends: [Int]) {
        self.text = text
        self.ends = ends.sorted()
    }

    /// Of no rows, for the same batches.
    var empty: Self { Self("", ends: ends) }

    func end(after rows: Int) -> Int? { ends.first { $0 > rows } }

    mutating func add(_ batch: [ImportRow]) {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        for row in batch { hash.update(row.digested(by: .reason)) }
        text = Hexadecimal.encode(hash.finish())
    }
}

extension ImportRow {
    fileprivate func digested(by rule: RowDigest.Rule) -> [UInt8] {
        switch (content, rule) {
        case (.record(let json, _), _): Array("\n\(line) ".utf8) + json
        // No JSON begins so.
        case (.refused(let fault), .bytes): Array("\n\(line) !".utf8) + fault.hash
        case (.refused(let fault), .reason): Array("\n\(line) \(fault.earlierReason)".utf8)
        }
    }
}
