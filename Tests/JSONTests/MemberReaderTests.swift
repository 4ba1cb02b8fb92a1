import TestSupport
import Testing

@testable import JSON

/// What is read without building everything means what the parser makes of it.
@Suite struct MemberReaderTests {
    private static let names = ["a", "status", "action"]

    private func read(_ bytes: [UInt8]) -> JSONObject? { MemberReader.members(Self.names, of: bytes.span) }

    /// The wanted members as the parser finds them; `nil` when it refuses, or finds no object.
    private func parsed(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let object)? = try? JSONValue.parse(bytes) else { return nil }
        return Dictionary(uniqueKeysWithValues: Self.names.compactMap { name in object[name].map { (name, $0) } })
    }

    /// - Returns: whether it was read.
    private func hold(_ bytes: [UInt8]) -> Bool {
        guard let object = read(bytes) else { return false }
        let members = Dictionary(uniqueKeysWithValues: object.members.map { ($0.name, $0.value) })
        #expect(members == parsed(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        return true
    }

    private static let objects: [String] = [
        "{}", " \t\r\n{ \n} ", #"{"a":1}"#, #"{"other":"x","a":"","status":-0.5e+10}"#,
        #" { "status" : "Opened" , "token" : null , "a" : true } "#, #"{"a":false,"status":null}"#,
        #"{"action":{"identifier":"buy","deep":{"x":{}}},"more":{"a":1,"b":{"a":2}}}"#, #"{"":0,"A":1,"aa":2}"#,
        #"{"a":0,"status":10,"action":1.25E-3}"#, "{\"a\":\"\u{7F} ~/\"}",
    ]

    @Test("objects as programs write them are read, and their members are the parser's", arguments: objects)
    func plain(_ text: String) { #expect(hold(Array(text.utf8))) }

    @Test(
        "what is written in another way, and what is wrong, is the parser's",
        arguments: [
            "", " ", "[]", "1", "null", #""a""#, "{", "}", "{}{}", "{},", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#,
            #"{"a":1,}"#, #"{"a":1"b":2}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":1,"a":2}"#,
            #"{"x":1,"a":1,"x":2}"#, #"{"a":{"x":1,"x":2}}"#, #"{"x":{"y":1,"y":2}}"#, #"{"\u0061":1}"#,
            #"{"a":"\n"}"#, #"{"x":"\\"}"#, #"{"a":"é"}"#, #"{"é":1}"#, #"{"a":[]}"#, #"{"x":[1]}"#, #"{"a":01}"#,
            #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":tru}"#, #"{"a":nulll}"#,
            #"{"a":TRUE}"#, #"{"a":NaN}"#, "{\"a\":\"\t\"}", "{\"a\":\"\u{0}\"}", "\u{FEFF}{}", #"{"a":"x}"#,
            "{\u{A0}}", "{\u{B}}", #"{"x":{"x":{"x":{"x":{}}}}}"#,
        ])
    func others(_ text: String) { #expect(read(Array(text.utf8)) == nil) }

    @Test("more members than are compared with each other are the parser's")
    func many() {
        func object(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { "\"m\($0)\":\($0)" }.joined(separator: ","))}".utf8)
        }
        #expect(read(object(16)) != nil)
        #expect(read(object(17)) == nil)
    }

    @Test("no byte in any place makes an object mean something else than to the parser")
    func everyByte() {
        var taken = 0
        for text in Self.objects {
            let whole = Array(text.utf8)
            for place in whole.indices {
                for byte in UInt8.min...UInt8.max {
                    var changed = whole
                    changed[place] = byte
                    if hold(changed) { taken += 1 }
                }
            }
        }
        #expect(taken > 5_000)
    }

    @Test("no cut of an object is one")
    func cut() {
        for text in Self.objects {
            let bytes = Array(text.utf8)
            let end = (bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0)
            for length in 0...end { #expect(read(Array(bytes[..<length])) == nil) }
        }
    }

    @Test("objects put together at random mean the same to both", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "{\"a\":", "\"status\":", "\"a\"", "\"x\"", ":", ",", "1", "-2.5", "null", "true", " ", "\"\"",
            "[",
            "]", "{}", "\"action\":{\"identifier\":\"b\"}", "\\", "0",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            _ = hold(Array("{\(text.joined())}".utf8))
        }
    }
}
