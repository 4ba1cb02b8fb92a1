import Identifiers
import JSON

extension Timestamp {
    private static let canonicalLength = 24

    init?(canonical bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.canonicalLength, let text = String(validating: bytes, as: UTF8.self),
            let instant = try? Timestamp(rfc3339: text), instant.rfc3339.utf8.elementsEqual(bytes)
        else { return nil }
        self = instant
    }
}

extension EntityID {
    /// - Parameter bytes: an id as ``description`` writes it.
    init?(canonical bytes: ArraySlice<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self), let id = try? Self(text) else { return nil }
        self = id
    }
}

extension JSONScanner {
    /// A string with its quotes in the form of RFC 8785: UTF-8 with only the necessary escapes.
    mutating func canonicalString() -> String? {
        guard rest.first == .quote else { return nil }
        var position = rest.startIndex + 1
        var isEscaped = false
        while position < rest.endIndex, rest[position] != .quote {
            guard rest[position] >= 0x20 else { return nil }
            if rest[position] == .backslash {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < rest.endIndex else { return nil }
        let quoted = rest[...position]
        _ = take(count: quoted.count)
        guard isEscaped else { return String(validating: quoted.dropFirst().dropLast(), as: UTF8.self) }
        guard case .string(let text) = try? JSONValue.parse(quoted) else { return nil }
        var written: [UInt8] = []
        written.appendJSONString(text)
        return written.elementsEqual(quoted) ? text : nil
    }

    /// As ``canonicalString()``; `.some(nil)` for `null`.
    mutating func canonicalStringOrNull() -> String?? {
        if take(Self.null) { return .some(nil) }
        return canonicalString().map { .some($0) }
    }

    /// A count: digits without leading zeros, small enough that every JSON reader takes it for the same number.
    mutating func canonicalCount() -> UInt64? {
        guard let count = UInt64(decimal: digits()), count < 1 << 53 else { return nil }
        return count
    }

    private static let null = Array("null".utf8)
}
