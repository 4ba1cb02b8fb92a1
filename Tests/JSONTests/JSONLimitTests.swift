import JSON
import Testing

@Suite struct JSONLimitTests {
    static func nested(_ depth: Int, open: String = "[", close: String = "]") -> [UInt8] {
        Array((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
    }

    @Test("64 arrays in each other are read and the 65th is refused")
    func standardDepth() throws {
        _ = try JSONValue.parse(Self.nested(64))
        #expect(throws: JSONError.tooDeep(limit: 64)) { try JSONValue.parse(Self.nested(65)) }
        _ = try JSONValue.parse("{\"a\":" + "[{\"b\":".repeated(31) + "[]" + "}]".repeated(31) + "}")
        #expect(throws: JSONError.tooDeep(limit: 64)) {
            try JSONValue.parse("{\"a\":" + "[{\"b\":".repeated(32) + "[]" + "}]".repeated(32) + "}")
        }
    }

    @Test("the limit is on depth, not on the number of brackets")
    func siblings() throws {
        let text = "[" + "[[]],".repeated(1000) + "{}]"
        _ = try JSONValue.parse(text.utf8, limits: JSONLimits(depth: 3))
        #expect(throws: JSONError.tooDeep(limit: 2)) { try JSONValue.parse(text.utf8, limits: JSONLimits(depth: 2)) }
        #expect(throws: JSONError.tooDeep(limit: 0)) { try JSONValue.parse("[]".utf8, limits: JSONLimits(depth: 0)) }
        #expect(try JSONValue.parse("1".utf8, limits: JSONLimits(depth: 0)) == .integer(1))
    }

    @Test("a million values are read and one more is refused, arrays and objects included")
    func values() throws {
        let limits = JSONLimits(values: 6)
        _ = try JSONValue.parse("[{\"a\":1,\"b\":[]},2,3]".utf8, limits: limits)
        #expect(throws: JSONError.tooManyValues(limit: 6)) {
            try JSONValue.parse("[{\"a\":1,\"b\":[]},2,3,4]".utf8, limits: limits)
        }
        let brackets = "[" + "[0],".repeated(1 << 19) + "1]"
        #expect(throws: JSONError.tooManyValues(limit: 1 << 20)) { try JSONValue.parse(brackets.utf8) }
        _ = try JSONValue.parse(("[" + "[0],".repeated((1 << 19) - 1) + "1]").utf8)
    }

    @Test("a depth of 100,000 is refused, whatever limit is asked for", arguments: [64, 512, 1_000_000, Int.max])
    func abyss(limit: Int) {
        let limits = JSONLimits(depth: limit)
        #expect(throws: JSONError.tooDeep(limit: min(limit, 512))) {
            try JSONValue.parse(Self.nested(100_000), limits: limits)
        }
        #expect(throws: JSONError.tooDeep(limit: min(limit, 512))) {
            try JSONValue.parse(Self.nested(100_000, open: "{\"a\":", close: "}"), limits: limits)
        }
        #expect(throws: JSONError.tooDeep(limit: min(limit, 512))) {
            try JSONValue.parse(Self.nested(100_000, open: "[", close: ""), limits: limits)
        }
    }

    @Test("the greatest depth that can be asked for is read and written")
    func maximumDepth() throws {
        let bytes = Self.nested(JSONLimits.maximumDepth)
        let value = try JSONValue.parse(bytes, limits: JSONLimits(depth: JSONLimits.maximumDepth))
        #expect(value.serialized() == bytes)
        #expect(try value.canonical() == bytes)
    }

    @Test("a string of 16 MiB is read and written, plain and with escapes")
    func longStrings() throws {
        let length = 16 << 20
        let plain = String(repeating: "x", count: length)
        #expect(try JSONValue.parse("\"\(plain)\"".utf8) == .string(plain))
        let escaped = Array("\"\("\\u00e9é\\n".repeated(length / 10))\"".utf8)
        #expect(escaped.count >= length - 10)
        #expect(try JSONValue.parse(escaped) == .string("éé\n".repeated(length / 10)))
    }

    @Test("an array of a million numbers is read")
    func longArray() throws {
        let text = "[" + "12345,".repeated(1_000_000) + "0]"
        guard case .array(let elements) = try JSONValue.parse(text.utf8) else {
            Issue.record("not an array")
            return
        }
        #expect(elements.count == 1_000_001)
        #expect(elements.last == .integer(0))
    }

    @Test("a number of a million digits is kept")
    func longNumber() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        guard case .number(let number) = try JSONValue.parse(digits.utf8) else {
            Issue.record("not a number")
            return
        }
        #expect(number.text == digits)
        #expect(number.int64 == nil)
        #expect(number.double == nil)
    }
}

extension String {
    func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}

extension JSONValue {
    static func parse(_ text: String) throws(JSONError) -> JSONValue { try parse(Array(text.utf8)) }
}
