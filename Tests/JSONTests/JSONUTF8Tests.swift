import JSON
import Testing

/// Encodings: UTF-8 as RFC 3629 has it, and nothing else (where JSONTestSuite's `i_` files leave the choice).
@Suite struct JSONUTF8Tests {
    @Test("a string that is not UTF-8 is refused where the bad sequence begins", arguments: badSequences)
    func badSequence(_ sequence: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for before in ["", "a", "é😀", "\\n", "\\u00e9é"] {
            let head = [quote] + Array(before.utf8)
            #expect(throws: JSONError.notUTF8(offset: head.count), "after \(before)") {
                try JSONValue.parse(head + sequence + [quote])
            }
            #expect(throws: JSONError.notUTF8(offset: head.count), "after \(before), before an escape") {
                try JSONValue.parse(head + sequence + Array("\\n\"".utf8))
            }
        }
    }

    @Test("a member's name that is not UTF-8 is refused")
    func badName() {
        #expect(throws: JSONError.notUTF8(offset: 2)) {
            try JSONValue.parse(Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8))
        }
    }

    @Test("bytes outside strings are never read as characters", arguments: [0x80, 0xC3, 0xFE, 0xFF] as [UInt8])
    func outsideStrings(_ byte: UInt8) {
        #expect(throws: JSONError.malformed(offset: 1, .valueExpected)) { try JSONValue.parse([0x5B, byte, 0x5D]) }
    }

    @Test("UTF-16 and UTF-32 are refused")
    func otherEncodings() {
        let samples: [[UInt8]] = [
            [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D], [0xFF, 0xFE, 0x5B, 0], [0xFE, 0xFF, 0, 0x5B],
            [0x5B, 0, 0, 0, 0x5D, 0, 0, 0], [0, 0, 0, 0x5B], [0xEF, 0xBB], [0xEF],
        ]
        for sample in samples {
            #expect(throws: JSONError.self, "\(sample)") { try JSONValue.parse(sample) }
        }
    }

    static let badSequences: [[UInt8]] = [
        [0x80],  // a continuation byte with nothing before it
        [0xBF],
        [0xC0, 0x80],  // overlong NUL
        [0xC0, 0xAF],  // overlong slash
        [0xC1, 0xBF],
        [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF],
        [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF],
        [0xED, 0xA0, 0x80],  // U+D800
        [0xED, 0xBF, 0xBF],  // U+DFFF
        [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],  // an emoji as CESU-8
        [0xF4, 0x90, 0x80, 0x80],  // U+110000
        [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
        [0xFE],
        [0xFF],
        [0xC3],  // cut
        [0xE2, 0x82],
        [0xF0, 0x9F, 0x98],
        [0xC3, 0x28],  // a continuation that is none
        [0xE2, 0x28, 0xA1],
    ]
}
