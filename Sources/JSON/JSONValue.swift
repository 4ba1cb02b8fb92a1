import ASCII

/// One value of RFC 8259, as it was written: members keep their order, numbers their digits.
///
/// Two values are equal if they were written alike except for white space and escapes: strings are compared byte for
/// byte, numbers by their digits (`1` is not `1.0`), objects with the order of their members.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package static func integer(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(value)) }
}

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue {
    /// Reads exactly one value, with only white space around it.
    ///
    /// Strict: anything that RFC 8259 does not allow is refused, and so are a byte order mark, an object with two
    /// members of one name (in any escaping) and a lone surrogate. `\u0000` is legal and kept.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes: bytes, limits: limits)
        return try parser.document()
    }

    /// Parses the bytes of another collection, which are copied once.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> JSONValue {
        try parse(Array(bytes), limits: limits)
    }
}

/// The limits of a document.
package struct JSONLimits: Sendable {
    /// Reading needs a stack frame for each level, so no caller may set a greater depth.
    package static let maximumDepth = 512

    /// How many arrays and objects may be nested: 64 brackets are read, the 65th is refused.
    package let depth: Int
    /// How many values there may be, including arrays and objects. A value takes up to a hundred bytes of memory, so a
    /// document of only brackets would take twenty times its length.
    package let values: Int

    /// - Parameter values: the default is more than the largest request has, which is ten thousand consent records with
    ///   all their evidence.
    package init(depth: Int = 64, values: Int = 1 << 20) {
        self.depth = min(max(depth, 0), Self.maximumDepth)
        self.values = values
    }
}
