import JSON
import Testing

@Suite struct JSONNumberTests {
    static func number(_ literal: String) throws -> JSONNumber {
        guard case .number(let number) = try JSONValue.parse(literal) else { throw NotANumber() }
        return number
    }

    struct NotANumber: Error {}

    @Test(
        "an integer literal that fits is exact",
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ]
    )
    func exact(_ literal: String, _ value: Int64) throws {
        #expect(try Self.number(literal).int64 == value)
        #expect(try Self.number(literal).uint64 == UInt64(exactly: value))
    }

    @Test("an integer literal that does not fit is none")
    func tooGreat() throws {
        #expect(try Self.number("9223372036854775808").int64 == nil)
        #expect(try Self.number("-9223372036854775809").int64 == nil)
        #expect(try Self.number("18446744073709551615").uint64 == UInt64.max)
        #expect(try Self.number("18446744073709551616").uint64 == nil)
        #expect(try Self.number("256").integer(as: UInt8.self) == nil)
        #expect(try Self.number("255").integer(as: UInt8.self) == 255)
    }

    @Test(
        "a number written with a fraction or an exponent is no integer",
        arguments: ["2.0", "2e0", "2E0", "20e-1", "0.0", "-0.0", "1.5", "1e2"]
    )
    func notAnInteger(_ literal: String) throws {
        #expect(try Self.number(literal).int64 == nil)
        #expect(try Self.number(literal).uint64 == nil)
    }

    @Test(
        "every number in range is the nearest double",
        arguments: [
            ("0.1", 0.1), ("-2.5", -2.5), ("1e2", 100), ("2", 2), ("5e-324", .leastNonzeroMagnitude), ("1E+2", 100),
            ("1.7976931348623157e308", 1.7976931348623157e308), ("9007199254740993", 9_007_199_254_740_992),
            ("1e-400", 0),
        ]
    )
    func double(_ literal: String, _ value: Double) throws {
        #expect(try Self.number(literal).double == value)
    }

    @Test("a number beyond the greatest double is none", arguments: ["1e309", "-1e309", "1e400", "1e999999999999"])
    func infinite(_ literal: String) throws {
        #expect(try Self.number(literal).double == nil)
    }
}
