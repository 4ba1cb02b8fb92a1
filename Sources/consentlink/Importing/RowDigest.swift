import Cryptography

/// A digest over rows, one by one: of what stands in them and in which lines, wherever a batch of them ends.
struct RowDigest: Equatable {
    /// None before the first row.
    private var bytes: [UInt8] = []

    init() {}

    /// - Returns: `nil` for what ``text`` never is.
    init?(_ text: String) {
        guard let decoded = try? Hexadecimal.decode(text), [0, SHA256.hashLength].contains(decoded.count) else {
            return nil
        }
        bytes = decoded
    }

    var text: String { Hexadecimal.encode(bytes) }

    mutating func add(_ rows: [ImportRow]) {
        var hash = SHA256()
        for row in rows {
            hash.update(bytes)
            hash.update(row.digested)
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
        for row in batch { hash.update(row.digested) }
        text = Hexadecimal.encode(hash.finish())
    }
}

extension ImportRow {
    fileprivate var digested: [UInt8] {
        switch content {
        case .record(let json, _): Array("\n\(line) ".utf8) + json
        case .refused(let reason): Array("\n\(line) \(reason)".utf8)
        }
    }
}
