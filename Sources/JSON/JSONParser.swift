/// Reads the bytes of a document once; `position` is the next unread byte.
struct JSONParser {
    enum Step {
        case name(String)
        case index(Int)
    }

    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0
    /// The number of values that may still be read.
    private var valuesLeft: Int
    /// The path to the present place: the steps of the pointer with which a duplicate is reported.
    private var path: [Step] = []

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        valuesLeft = limits.values
    }

    mutating func document() throws(JSONError) -> JSONValue {
        guard !bytes.isEmpty else { throw malformed(.empty) }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw malformed(.byteOrderMark) }
        skipWhiteSpace()
        let value = try value()
        skipWhiteSpace()
        guard position == bytes.count else { throw malformed(.trailingBytes) }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        guard position < bytes.count else { throw malformed(.unexpectedEnd) }
        guard valuesLeft > 0 else { throw .tooManyValues(limit: limits.values) }
        valuesLeft -= 1
        switch bytes[position] {
        case .openBrace: return .object(try object())
        case .openBracket: return .array(try array())
        case .quote: return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw malformed(.valueExpected)
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var object = JSONObject()
        try enter(.name(""))
        defer { path.removeLast() }
        if take(.closeBrace) { return object }
        repeat {
            guard position < bytes.count else { throw malformed(.unexpectedEnd) }
            guard bytes[position] == .quote else { throw malformed(.nameExpected) }
            let name = try string()
            path[path.count - 1] = .name(name)
            skipWhiteSpace()
            guard take(.colon) else { throw malformed(.colonExpected) }
            let value = try value()
            guard object.append(name, value) else { throw .duplicateMember(pointer) }
        } while try continues(until: .closeBrace)
        return object
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try enter(.index(0))
        defer { path.removeLast() }
        if take(.closeBracket) { return elements }
        repeat {
            path[path.count - 1] = .index(elements.count)
            elements.append(try value())
        } while try continues(until: .closeBracket)
        return elements
    }

    /// Takes the opening bracket and the white space after it.
    private mutating func enter(_ step: Step) throws(JSONError) {
        guard path.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
        path.append(step)
        position += 1
        skipWhiteSpace()
    }

    /// Whether a comma follows an element; otherwise it must be the `end`.
    private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        if take(.comma) { return true }
        guard take(end, thenWhiteSpace: false) else { throw malformed(.commaOrEndExpected) }
        return false
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard position < bytes.count else { throw malformed(.unexpectedEnd) }
            guard bytes[position] == byte else { throw malformed(.valueExpected) }
            position += 1
        }
        return value
    }
}

extension JSONParser {
    /// The error for the byte at `position`. At the end of the text, the error is that the text is too short.
    func malformed(_ what: JSONError.Malformation) -> JSONError {
        .malformed(offset: position, position < bytes.count || bytes.isEmpty ? what : .unexpectedEnd)
    }

    private var pointer: JSONPointer {
        path.reduce(.root) { pointer, step in
            switch step {
            case .name(let name): pointer.appending(name)
            case .index(let index): pointer.appending(index)
            }
        }
    }

    private mutating func take(_ byte: UInt8, thenWhiteSpace: Bool = true) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        if thenWhiteSpace { skipWhiteSpace() }
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    }
}
