/// Finds where the parts of canonical JSON stand, without making values of them: a million lines are read this way.
///
/// It does not say that what stands there is JSON all through: a hash that is compared says so.
struct JSONScanner {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    mutating func take(_ text: [UInt8]) -> Bool {
        guard rest.starts(with: text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// - Returns: the next `count` bytes; `nil` when there are not as many.
    mutating func take(count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func digits() -> ArraySlice<UInt8> {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// What stands between quotes.
    /// - Returns: `nil` when no string stands here or it has escapes.
    mutating func string() -> ArraySlice<UInt8>? {
        guard rest.first == .quote else { return nil }
        let start = rest.startIndex + 1
        var position = start
        while position < rest.endIndex, rest[position] != .quote {
            guard rest[position] != .backslash else { return nil }
            position += 1
        }
        guard position < rest.endIndex else { return nil }
        defer { rest = rest[(position + 1)...] }
        return rest[start..<position]
    }

    /// An object with its brackets.
    mutating func object() -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "{") else { return nil }
        return value()
    }

    /// Whatever stands up to the comma or bracket that ends it.
    mutating func value() -> ArraySlice<UInt8>? {
        var (position, depth, isInString) = (rest.startIndex, 0, false)
        scan: while position < rest.endIndex {
            switch rest[position] {
            case .quote: isInString.toggle()
            case .backslash where isInString: position += 1
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
                if depth == 0 {
                    position += 1
                    break scan
                }
            case UInt8(ascii: ",") where depth == 0: break scan
            default: break
            }
            position += 1
        }
        guard position <= rest.endIndex, position > rest.startIndex, depth == 0, !isInString else { return nil }
        defer { rest = rest[position...] }
        return rest[..<position]
    }

    /// Shows the members of an object, whose names must stand in their order, each once.
    /// - Returns: `false` when it is no such object.
    static func members(
        of object: ArraySlice<UInt8>, _ visit: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
    ) -> Bool {
        var scanner = JSONScanner(object)
        guard scanner.take([UInt8(ascii: "{")]) else { return false }
        var last: ArraySlice<UInt8>?
        repeat {
            guard let name = scanner.string(), scanner.take([UInt8(ascii: ":")]), let value = scanner.value(),
                last.map({ $0.lexicographicallyPrecedes(name) }) ?? true
            else { return false }
            visit(name, value)
            last = name
        } while scanner.take([UInt8(ascii: ",")])
        return scanner.take([UInt8(ascii: "}")]) && scanner.rest.isEmpty
    }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
}
