import JSON
import TestSupport

extension SeededGenerator {
    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(.random(using: &self))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &self))
        case 3: return .integer(Int.random(in: -9...9, using: &self))
        case 4: return .string(string())
        case 5: return .array((0..<count()).map { _ in value(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<count() { _ = object.append(string(), value(depth: depth - 1)) }
            return .object(object)
        }
    }

    /// Mostly few, at times more than an object looks through without hashing.
    private mutating func count() -> Int {
        Int.random(in: 0..<(Int.random(in: 0..<20, using: &self) == 0 ? 40 : 5), using: &self)
    }

    mutating func string() -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x80...0xD7FF, 0xE000...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &self) {
            let range = ranges[Int.random(in: ranges.indices, using: &self)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) else { continue }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// The same string as a sender might write it: with more escapes than it needs.
    mutating func spelling(of text: String) -> String {
        var spelt = "\""
        for unit in text.utf16 {
            let isPlain = (0x20...0x7E).contains(unit) && unit != 0x22 && unit != 0x5C
            if isPlain, Bool.random(using: &self) {
                spelt.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16, uppercase: .random(using: &self))
                spelt += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return spelt + "\""
    }
}
