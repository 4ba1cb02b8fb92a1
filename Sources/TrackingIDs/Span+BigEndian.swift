extension Span<UInt8> {
    func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        var number: Number = 0
        for index in offset..<(offset + Number.bitWidth / 8) { number = number << 8 | Number(self[index]) }
        return number
    }
}

extension MutableSpan<UInt8> {
    mutating func store<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number, at offset: Int) {
        let size = Number.bitWidth / 8
        for index in 0..<size {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - index)))
        }
    }
}
