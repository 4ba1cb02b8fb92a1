import ASCII

/// Identifies a data folder: 128 random bits, made with the folder. A copy or a backup of the folder has the same id.
package struct FolderID: Hashable, Sendable, CustomStringConvertible {
    private static let digits = 32

    /// 32 lower-case hexadecimal digits.
    package let description: String

    package init(using generator: inout some RandomNumberGenerator) {
        let halves = (0..<2).map { _ in
            let text = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: Self.digits / 2 - text.utf8.count) + text
        }
        description = halves.joined()
    }

    /// Reads an id in the form of ``description``.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digits, text.utf8.allSatisfy(\.isLowerCaseHexDigit) else { return nil }
        description = text
    }
}
