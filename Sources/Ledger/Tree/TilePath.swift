import ASCII

/// The path at which a tile or an entry bundle is served (C2SP tlog-tiles): `tile/0/x001/234`,
/// `tile/entries/273.p/112`.
package struct TilePath: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case hashes(level: Int)
        case entries
    }

    static let maximumLevel = 63

    package let kind: Kind
    package let index: UInt64
    /// The number of hashes or entries: 256, or fewer at the right edge of a tree.
    package let width: Int

    package init(_ kind: Kind, index: UInt64, width: Int = Tile.width) {
        self.kind = kind
        self.index = index
        self.width = width
    }

    /// Accepts only what ``description`` writes, so that each tile or bundle has one path.
    package init(_ text: String) throws(LedgerError) {
        guard let path = Self.parse(text) else { throw .tilePath }
        self = path
    }

    package var description: String {
        let level =
            switch kind {
            case .hashes(let level): String(level)
            case .entries: "entries"
            }
        var (rest, groups): (UInt64, [String]) = (index, [])
        repeat {
            groups.append((groups.isEmpty ? "" : "x") + Self.threeDigits(rest % 1000))
            rest /= 1000
        } while rest > 0
        let index = groups.reversed().joined(separator: "/")
        return "tile/\(level)/\(index)" + (width < Tile.width ? ".p/\(width)" : "")
    }

    private static func threeDigits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    private static func parse(_ text: String) -> TilePath? {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.removeFirst() == "tile", let kind = kind(parts.removeFirst()) else { return nil }
        var width = Tile.width
        if parts.count >= 2, parts[parts.count - 2].hasSuffix(".p") {
            guard let number = UInt64(decimal: Array(parts.removeLast().utf8)[...]),
                (1..<Tile.width).contains(Int(clamping: number))
            else { return nil }
            width = Int(number)
            parts.append(parts.removeLast().dropLast(2))
        }
        guard let index = index(parts) else { return nil }
        return TilePath(kind, index: index, width: width)
    }

    private static func kind(_ part: Substring) -> Kind? {
        guard part != "entries" else { return .entries }
        guard let level = UInt64(decimal: Array(part.utf8)[...]), level <= maximumLevel else { return nil }
        return .hashes(level: Int(level))
    }

    private static func index(_ groups: [Substring]) -> UInt64? {
        var index: UInt64 = 0
        for (position, group) in groups.enumerated() {
            let digits = position < groups.count - 1 ? group.dropFirst() : group
            guard position == groups.count - 1 || group.first == "x", digits.utf8.count == 3,
                let number = number(digits), position > 0 || groups.count == 1 || number > 0
            else { return nil }
            let (thousands, overflow) = index.multipliedReportingOverflow(by: 1000)
            let (sum, carry) = thousands.addingReportingOverflow(number)
            guard !overflow, !carry else { return nil }
            index = sum
        }
        return groups.isEmpty ? nil : index
    }

    private static func number(_ digits: Substring) -> UInt64? {
        digits.utf8.reduce(0 as UInt64?) { number, digit in
            guard let number, digit.isDigit else { return nil }
            return number * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
    }
}

extension Tile {
    package var path: TilePath { TilePath(.hashes(level: id.level), index: id.index, width: hashes.count) }
}
