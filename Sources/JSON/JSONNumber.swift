/// A number as the digits it was written with, so that nothing is rounded before it is read as a number.
package struct JSONNumber: Hashable, Sendable {
    /// The literal, in the grammar of RFC 8259, 6.
    package let text: String

    /// - Parameter literal: bytes that the parser has found to be a number.
    init(literal: some Collection<UInt8>) {
        text = String(decoding: literal, as: UTF8.self)
    }

    package init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    /// The exact integer, if the literal is written as one and fits. `2.0` and `2e0` are not: a sender that means an
    /// integer writes one, and what a reader rounds cannot be compared with what the sender meant.
    package func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        Integer(text)
    }

    package var int64: Int64? { integer() }
    package var uint64: UInt64? { integer() }

    /// The nearest double; `nil` when the number is too great for one.
    package var double: Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
