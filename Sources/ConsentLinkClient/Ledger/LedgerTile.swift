/// A tile of the ledger's tree, or the bundle of entries below one (C2SP tlog-tiles).
public struct LedgerTile: Sendable, CustomStringConvertible {
    /// How many hashes a whole tile has.
    public static let width = 256

    enum Kind: Sendable {
        case hashes(level: Int)
        case entries
    }

    private static let levels = 0...63
    private static let hashLength = 32

    let kind: Kind
    let index: Int
    let width: Int

    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` for a tile that no tree can have.
    init(_ kind: Kind, index: Int, width: Int) throws(ConsentLinkError) {
        if case .hashes(let level) = kind, !Self.levels.contains(level) {
            throw .invalidArgument("a tree has the levels 0 to 63")
        }
        guard index >= 0 else { throw .invalidArgument("tiles are counted from 0") }
        guard (1...Self.width).contains(width) else { throw .invalidArgument("a tile has 1 to 256 hashes") }
        (self.kind, self.index, self.width) = (kind, index, width)
    }

    /// Its path, such as `tile/0/x001/234` or `tile/entries/067.p/8`.
    public var description: String {
        var (rest, groups): (Int, [String]) = (index, [])
        repeat {
            let digits = String(rest % 1000)
            let padded = String(repeating: "0", count: 3 - digits.count) + digits
            groups.append((groups.isEmpty ? "" : "x") + padded)
            rest /= 1000
        } while rest > 0
        let part = width < Self.width ? ".p/\(width)" : ""
        return "tile/\(level)/\(groups.reversed().joined(separator: "/"))\(part)"
    }

    private var level: String {
        switch kind {
        case .hashes(let level): "\(level)"
        case .entries: "entries"
        }
    }

    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` unless there are as many as its width.
    func hashes(in bytes: [UInt8]) throws(ConsentLinkError) -> [[UInt8]] {
        guard bytes.count == width * Self.hashLength else { throw .unexpectedAnswer("it is not a tile of this width") }
        return stride(from: 0, to: bytes.count, by: Self.hashLength).map { Array(bytes[$0..<$0 + Self.hashLength]) }
    }

    /// Each entry follows its length in two bytes, the more significant one first.
    ///
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` unless there are as many as its width, and nothing else.
    func entries(in bytes: [UInt8]) throws(ConsentLinkError) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard let second = rest.popFirst() else { throw Self.noBundle }
            let length = Int(first) << 8 | Int(second)
            guard rest.count >= length else { throw Self.noBundle }
            entries.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        guard entries.count == width else { throw Self.noBundle }
        return entries
    }

    private static var noBundle: ConsentLinkError { .unexpectedAnswer("it is not a bundle of so many entries") }
}
