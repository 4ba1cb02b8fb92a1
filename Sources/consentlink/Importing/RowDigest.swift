import Cryptography

/// A digest over rows, one by one: over their content and their lines, independent of batches.
struct RowDigest: Equatable {
    /// What it digests of a refused row.
    enum Rule {
        case bytes
        /// Only the reason of the refusal, as in journals of version 2: a change of the row is not noticed.
        case reason
    }

    private let rule: Rule
    /// Empty before the first row.
    private var bytes: [UInt8] = []

    /// The digest of no rows.
    init(_ rule: Rule = .bytes) { self.rule = rule }

    /// - Returns: `nil` if ``text`` cannot have this value.
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

/// The digest of journals of version 1: over batches. To compute it again, the ends of the batches must be known.
struct BatchDigest: Equatable {
    private(set) var text: String
    /// The ends of batches that do not follow from their size, in rows, the least first.
    private let ends: [Int]

    /// - Parameter ends: where runs found the end of the file.
    init(_ text: String, ends: [Int]) {
        self.text = text
        self.ends = ends.sorted()
    }

    /// The digest of no rows, for the same batches.
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
        // No JSON begins like this.
        case (.refused(let fault), .bytes): Array("\n\(line) !".utf8) + fault.hash
        case (.refused(let fault), .reason): Array("\n\(line) \(fault.earlierReason)".utf8)
        }
    }
}
