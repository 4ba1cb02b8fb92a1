/// A text that is equal only to a text with the same bytes of UTF-8, as databases, digests and signatures compare it.
///
///     struct Button: Hashable {
///         @ComparedByBytes var name: String
///     }
///
/// Swift's `String` compares by canonical equivalence: it treats two spellings of `é` as equal, and a Kelvin sign as
/// the letter K. A property with this wrapper is read-only.
@propertyWrapper
package struct ComparedByBytes: Sendable {
    package let wrappedValue: String

    package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

    /// For a key of a dictionary or an element of a set.
    package init(_ text: String) { wrappedValue = text }
}

extension ComparedByBytes: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.wrappedValue.hasSameBytes(as: other.wrappedValue) }

    package func hash(into hasher: inout Hasher) { hasher.combineBytes(of: wrappedValue) }
}

extension String {
    /// Whether both have the same bytes of UTF-8. `==` is not enough: it treats two spellings of `é` as equal, and a
    /// Kelvin sign (U+212A) as the letter K.
    @inlinable package func hasSameBytes(as other: String) -> Bool {
        let (one, other) = (utf8Span.span, other.utf8Span.span)
        guard one.count == other.count else { return false }
        for index in one.indices where one[unchecked: index] != other[unchecked: index] { return false }
        return true
    }
}

extension Hasher {
    /// For a type whose texts are equal if ``Swift/String/hasSameBytes(as:)`` says so.
    package mutating func combineBytes(of text: String) {
        text.utf8Span.span.withUnsafeBytes { combine(bytes: $0) }
        combine(0xFF as UInt8)
    }
}
