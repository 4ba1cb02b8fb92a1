import ASCII

/// Finds the parts of canonical JSON without making values of them, so that a million lines can be read quickly.
///
/// It does not check that the whole text is JSON; comparing its hash does.
struct JSONScanner {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    mutating func take(_ text: [UInt8]) -> Bool {
        guard rest.starts(with: text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// - Returns: the next `count` bytes; `nil` if there are fewer.
    mutating func take(count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func digits() -> ArraySlice<UInt8> {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest[digits.endIndex...]
        return digits
    }

    /// The text between quotes.
    /// - Returns: `nil` if there is no string here, or if it has escapes.
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

    /// An object with its braces.
    mutating func object() -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "{") else { return nil }
        return value()
    }

    /// All bytes up to the comma or bracket that ends the value.
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

    /// Visits the members of an object, whose names must be in order and unique.
    /// - Returns: `false` if it is not such an object.
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
