/// A number as its written digits, so that nothing is rounded before it is converted.
package struct JSONNumber: Hashable, Sendable {
    /// The literal, in the grammar of RFC 8259, 6.
    package let text: String

    /// - Parameter literal: bytes that the parser has checked to be a number.
    init(literal: some Collection<UInt8>) {
        text = String(decoding: literal, as: UTF8.self)
    }

    init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    /// The exact integer, if the literal is written as one and fits. `2.0` and `2e0` are not: a sender that means an
    /// integer writes one, and a rounded number cannot be compared with the sender's.
    package func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        Integer(text)
    }

    package var int64: Int64? { integer() }
    package var uint64: UInt64? { integer() }

    /// The nearest double; `nil` if the number is too great for one.
    package var double: Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
