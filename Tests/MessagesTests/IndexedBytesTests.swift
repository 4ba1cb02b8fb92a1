import Testing

@testable import Messages

/// The searches in blocks, beside their definition, which looks at one byte after the other (``CountedBytes``).
@Suite struct IndexedBytesTests {
    /// Without a block, with one and with several, and with bytes behind them.
    private static let lengths = [1, 16, 17, 33, 40]
    /// Letters in both cases, and what differs from them in one bit.
    private static let special: [UInt8] = [0x0A, 0x0B, 0x0E, 0x2E, 0x4A, 0x4B, 0x4E, 0x6B, 0x6E, 0xEB, 0xEE]

    private static func withBoth(_ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, CountedBytes) throws -> Void)
        rethrows
    {
        try bytes.withUnsafeBufferPointer { try body($0, CountedBytes(bytes: bytes)) }
    }

    /// Calls `isRight` with a text of tildes in which one byte differs, for every byte in every place.
    /// - Returns: the byte, its place and the length of each text that is not right.
    private static func wrong(_ isRight: (_ bytes: [UInt8], _ place: Int) -> Bool) -> [[Int]] {
        var wrong: [[Int]] = []
        for length in lengths {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "~"), count: length)
                    bytes[place] = byte
                    if !isRight(bytes, place) { wrong.append([Int(byte), place, length]) }
                }
            }
        }
        return wrong
    }

    @Test("Every byte is found and counted in every place, and no other byte is taken for it")
    func everyByte() {
        var wrong: [[Int]] = []
        for length in Self.lengths {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: byte ^ 0x01, count: length)
                    bytes[place] = byte
                    bytes.withUnsafeBufferPointer { blocks in
                        let isRight =
                            blocks.firstIndex(of: byte, in: 0..<length) == place
                            && blocks.firstIndex(of: byte, in: place + 1..<length) == length
                            && blocks.count(of: byte, in: 0..<length) == 1
                            && blocks.count(of: byte ^ 0x01, in: place..<length) == length - place - 1
                        if !isRight { wrong.append([Int(byte), place, length]) }
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test("Two letters are found in either case, in every place, where both are in the range")
    func letters() {
        var wrong: [[UInt8]] = []
        for length in [2, 16, 17, 18, 34, 40] {
            for place in 0..<length - 1 {
                for one in Self.special {
                    for other in Self.special {
                        var bytes = [UInt8](repeating: UInt8(ascii: "n"), count: length)
                        (bytes[place], bytes[place + 1]) = (one, other)
                        Self.withBoth(bytes) { blocks, plain in
                            for range in [0..<length, place..<place + 1] {
                                let found = blocks.firstIndex(of: UInt8(ascii: "n"), UInt8(ascii: "k"), in: range)
                                let expected = plain.firstIndex(of: UInt8(ascii: "n"), UInt8(ascii: "k"), in: range)
                                if found != expected { wrong.append(bytes) }
                            }
                        }
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test("Every range of a text gives what its bytes give one by one")
    func ranges() {
        var wrong: [Range<Int>] = []
        let bytes = (0..<Self.special.count * 4).map { Self.special[$0 * 7 % Self.special.count] }
        Self.withBoth(bytes) { blocks, plain in
            for start in 0...bytes.count {
                for end in start...bytes.count {
                    for byte in [0x0A, 0x4B, 0xEE] as [UInt8] {
                        let range = start..<end
                        let isRight =
                            blocks.firstIndex(of: byte, in: range) == plain.firstIndex(of: byte, in: range)
                            && blocks.count(of: byte, in: range) == plain.count(of: byte, in: range)
                        if !isRight { wrong.append(range) }
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test("A byte is counted more often than a lane of a block counts", arguments: [255, 256, 257, 1_000])
    func many(blocks: Int) {
        for rest in [0, 1, 15] {
            let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 16 * blocks + rest)
            let count = bytes.withUnsafeBufferPointer { $0.count(of: UInt8(ascii: "\n"), in: 0..<bytes.count) }
            #expect(count == bytes.count)
        }
    }

    @Test("Text ends at every byte that is not printable ASCII, and at an ampersand, in every place")
    func text() {
        let wrong = Self.wrong { bytes, place in
            let isText = (0x20...0x7E).contains(bytes[place]) && bytes[place] != UInt8(ascii: "&")
            return bytes.withUnsafeBufferPointer { blocks in
                blocks.firstUnlikeText(from: 0) == (isText ? bytes.count : place)
                    && blocks.firstUnlikeText(from: place + 1) == bytes.count
            }
        }
        #expect(wrong == [])
    }

    @Test("An attribute's value is read alike wherever a byte stands in it")
    func values() {
        let wrong = Self.wrong { bytes, place in
            let byte = bytes[place]
            // A parser replaces control characters; of U+0080 to U+009F, only the first byte is here.
            let isReplaced =
                byte < 0x20 && ![0x09, 0x0A, 0x0C].contains(byte) || byte == 0x7F
                || byte == 0xC2 && place + 1 < bytes.count
            return bytes.withUnsafeBufferPointer { CharacterReferences.decoded($0) } == (isReplaced ? nil : bytes)
        }
        #expect(wrong == [])
    }

    @Test("The name of the product is found in every place of a text and in any case, however many letters are near it")
    func productNames() throws {
        for before in ["", "k", "nk", "consentlin", "consentlinconsentlinkk", String(repeating: "Kn", count: 20)] {
            for length in 0...40 {
                for name in ["consentlink", "CONSENTLINK", "ConsentLinK", "consentlinK", "consentliNk"] {
                    let head = before + String(repeating: "x", count: length)
                    let text = Array((head + name + "knk" + name).utf8)
                    let places = text.withUnsafeBufferPointer { source in
                        var names = ProductNames(source)
                        var places: [Range<Int>] = []
                        while let place = names.next() { places.append(place) }
                        return places
                    }
                    let expected = text.indices.filter { start in
                        let lower = text[start...].prefix(11).map { $0 | 0x20 }
                        return lower == Array("consentlink".utf8)
                    }
                    try #require(places == expected.map { $0..<$0 + 11 })
                }
            }
        }
    }

    @Test("Lines are counted from 1, for places in ascending order, a place twice included")
    func lines() {
        let text = Array("a\n\nb\r\n\(String(repeating: "c", count: 40))\nd\n".utf8)
        text.withUnsafeBufferPointer { source in
            var lines = LineCounter(source)
            for place in text.indices.flatMap({ [$0, $0] }) {
                #expect(lines.line(of: place) == 1 + text[..<place].count { $0 == UInt8(ascii: "\n") })
            }
        }
    }
}
