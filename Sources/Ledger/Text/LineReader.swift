import ASCII
import Cryptography

/// Reads lines from a text, each of which must end with a newline. The caller checks their content.
struct LineReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) { rest = text[...] }

    /// The next line without its newline; `nil` at the end, or if the rest has no newline.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: .newline) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// The text after `label` and a space, if the next line begins with them; otherwise nothing is read.
    mutating func next(labelled label: String) -> ArraySlice<UInt8>? {
        let start = Array("\(label) ".utf8)
        guard rest.starts(with: start) else { return nil }
        return next()?.dropFirst(start.count)
    }

    /// The hashes, one on each line, up to an empty line, which is read too.
    /// - Returns: `nil` if a line is not a hash, or if there are more than any proof has.
    mutating func hashes() -> [TreeHash]? {
        var hashes: [TreeHash] = []
        while let line = next() {
            guard !line.isEmpty else { return hashes }
            guard hashes.count < Self.maximumProofLength, let hash = TreeHash(base64: line) else { return nil }
            hashes.append(hash)
        }
        return nil
    }

    /// The greatest number in a proof of a tree of 2^64 entries: two hashes for each level.
    private static let maximumProofLength = 128
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
}

extension UInt64 {
    /// Reads a decimal number: digits only, without leading zeros.
    init?(decimal text: ArraySlice<UInt8>) {
        guard let first = text.first, text.count == 1 || first != UInt8(ascii: "0") else { return nil }
        var number: UInt64 = 0
        for digit in text {
            guard digit.isDigit else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        self = number
    }
}

extension [UInt8] {
    mutating func append(line: String) {
        append(contentsOf: line.utf8)
        append(.newline)
    }
}
