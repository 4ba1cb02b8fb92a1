import ASCII

extension JSONShape where Value == String {
    /// A string whose number of UTF-8 bytes is in `length`.
    package static func text(length: ClosedRange<Int>, allowing characters: TextCharacters = .allButNUL) -> JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape<String>.string.read(value, at: pointer)
            guard length.contains(text.utf8.count) else {
                throw BodyProblems(pointer, "must be \(length.lowerBound) to \(length.upperBound) bytes of UTF-8")
            }
            switch characters {
            case .allButNUL:
                guard !text.holdsNUL else { throw BodyProblems(pointer, "must not contain NUL") }
            case .oneLine:
                guard !text.hasControlCharacter else {
                    throw BodyProblems(pointer, "must not contain control characters")
                }
            }
            return text
        }
    }
}

extension String {
    fileprivate var holdsNUL: Bool {
        var text = self
        return text.withUTF8(\.holdsNUL)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var holdsNUL: Bool {
        var position = 0
        while position + 32 <= count, let base = baseAddress {
            let bytes = UnsafeRawPointer(base + position).loadUnaligned(as: SIMD32<UInt8>.self)
            if bytes.min() == 0 { return true }
            position += 32
        }
        return self[position...].contains(0)
    }
}
