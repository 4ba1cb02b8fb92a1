extension JSONWriter {
    /// Writes a value unchanged: members in their order, numbers with their digits.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let number): raw(number.text.utf8)
        case .string(let text): string(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let object):
            self.object { writer in
                for member in object.members {
                    writer.key(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    /// Writes a value in the form of RFC 8785, so that equal values have equal bytes and can be hashed.
    mutating func canonicalValue(_ value: JSONValue) throws(JSONError) {
        switch value {
        case .null, .bool, .string: self.value(value)
        case .number(let number): integer(try Self.canonicalInteger(number))
        case .array(let elements):
            try array { writer throws(JSONError) in
                for element in elements { try writer.canonicalValue(element) }
            }
        case .object(let object):
            try self.object { writer throws(JSONError) in
                for member in object.members.sorted(by: Self.precedesInUTF16) {
                    writer.key(member.name)
                    try writer.canonicalValue(member.value)
                }
            }
        }
    }

    /// Beyond 2^53 - 1 a reader that uses doubles for numbers, as RFC 8785 assumes, would read another number.
    private static func canonicalInteger(_ number: JSONNumber) throws(JSONError) -> Int64 {
        guard let integer = number.int64, integer.magnitude < 1 << 53 else { throw .numberNotCanonical }
        return integer
    }

    /// RFC 8785, 3.2.3: by UTF-16 code units, in which U+FFFD comes after an emoji.
    private static func precedesInUTF16(_ left: JSONObject.Member, _ right: JSONObject.Member) -> Bool {
        left.name.utf16.lexicographicallyPrecedes(right.name.utf16)
    }
}

extension JSONValue {
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The bytes of RFC 8785, for hashing; a number that is not an integer of at most 2^53 - 1 is refused.
    package func canonical() throws(JSONError) -> [UInt8] {
        var writer = JSONWriter()
        try writer.canonicalValue(self)
        return writer.bytes
    }
}
