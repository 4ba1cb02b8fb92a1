import Cryptography

/// Bytes written as in the standards: hexadecimal, with spaces where the standard has them.
func hex(_ text: String) throws -> [UInt8] {
    try Hexadecimal.decode(text.filter { $0 != " " })
}

extension InlineArray where Element == UInt8 {
    var hexadecimal: String { Hexadecimal.encode(span) }
}
