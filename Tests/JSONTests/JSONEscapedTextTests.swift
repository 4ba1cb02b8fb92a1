import TestSupport
import Testing

@testable import JSON

/// Strings are read and written many bytes at a time and in pieces; what comes out does not depend on where an escape
/// stands in them.
@Suite struct JSONEscapedTextTests {
    /// Longer than two pieces, with each length of what is written at once in between.
    private static let lengths = Array(0...70) + Array(1000...1045) + [2030, 2048, 2049, 5000]

    /// As RFC 8785 3.2.2.2 has it, character by character.
    private static func escaped(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\u{8}": output += "\\b"
            case "\t": output += "\\t"
            case "\n": output += "\\n"
            case "\u{C}": output += "\\f"
            case "\r": output += "\\r"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }

    private static func written(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.appendJSONString(text)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("An escape stands anywhere in a text of any length", arguments: ["\"", "\\", "\n", "\u{1}", "\u{1F}"])
    func anywhere(escape: String) throws {
        for length in Self.lengths {
            for position in Set([0, length / 2, max(0, length - 17), max(0, length - 1), length]) {
                let plain = String(repeating: "x", count: length)
                let text = plain.prefix(position) + escape + plain.dropFirst(position)
                let json = Self.written(String(text))
                try #require(json == Self.escaped(String(text)), "length \(length), at \(position)")
                try #require(try JSONValue.parse(Array(json.utf8)) == .string(String(text)))
            }
        }
    }

    @Test("A text that is written in parts is written as in one, wherever a part ends")
    func parts() throws {
        let (short, long) = (String(repeating: "x", count: 40), String(repeating: "y", count: 1030))
        let text = Array("é\"\\\n\u{1}😀\(short)\"\(long)é".utf8)
        let whole = Self.written(String(decoding: text, as: UTF8.self))
        for end in text.indices {
            var bytes = [UInt8(ascii: "\"")]
            for part in [text[..<end], text[end...]] {
                part.withUnsafeBufferPointer { bytes.appendJSONEscaped($0) }
            }
            try #require(String(decoding: bytes, as: UTF8.self) + "\"" == whole, "cut at \(end)")
        }
    }

    @Test("Random texts come back as they were")
    func random() throws {
        var generator = SeededGenerator(seed: 11)
        let alphabet: [Character] = ["a", "b", " ", "é", "😀", "\"", "\\", "\n", "\t", "\u{1}", "/"]
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...3_000, using: &generator)
            let isDense = Bool.random(using: &generator)
            let text = String(
                (0..<length).map { _ in
                    isDense || Int.random(in: 0..<30, using: &generator) == 0
                        ? alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] : "x"
                })
            let json = Self.written(text)
            try #require(json == Self.escaped(text))
            try #require(try JSONValue.parse(Array(json.utf8)) == .string(text))
        }
    }

    @Test("Every escape of a character is read, wherever a piece ends")
    func escapesOfCodeUnits() throws {
        for count in Self.lengths {
            let json = "\"" + String(repeating: "x", count: count) + #"\u0041\/\ud83d\ude00\""# + "\""
            let text = String(repeating: "x", count: count) + "A/😀\""
            try #require(try JSONValue.parse(Array(json.utf8)) == .string(text), "\(count) bytes before")
        }
    }

    @Test("What is wrong is told with its offset, wherever a piece ends")
    func errors() throws {
        for count in Self.lengths {
            let plain = String(repeating: "x", count: count)
            let cases: [(String, JSONError)] = [
                ("\"\\n\(plain)\u{1}\"", .malformed(offset: count + 3, .controlCharacter)),
                ("\"\\n\(plain)\\q\"", .malformed(offset: count + 3, .badEscape)),
                ("\"\\n\(plain)\\ud800x\"", .malformed(offset: count + 3, .loneSurrogate)),
                ("\"\\n\(plain)", .malformed(offset: count + 3, .unexpectedEnd)),
                ("\"\\n\(plain)\\", .malformed(offset: count + 4, .unexpectedEnd)),
            ]
            for (json, error) in cases {
                #expect(throws: error, "\(count) bytes before") { try JSONValue.parse(Array(json.utf8)) }
            }
        }
    }

    @Test("A NUL is found anywhere in a text")
    func holdsNUL() throws {
        let shape = JSONShape<String>.text(length: 0...10_000)
        for length in Self.lengths {
            let plain = String(repeating: "x", count: length)
            #expect(try shape.read(.string(plain)) == plain)
            for position in Set([0, length / 2, length]) {
                let text = plain.prefix(position) + "\0" + plain.dropFirst(position)
                #expect(throws: BodyProblems.self) { try shape.read(.string(String(text))) }
            }
        }
    }
}
