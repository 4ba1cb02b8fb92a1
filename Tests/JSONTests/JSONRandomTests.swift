import JSON
import TestSupport
import Testing

@Suite struct JSONRandomTests {
    @Test("what is written is read again as the same value", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.value(depth: 5)
            let bytes = value.serialized()
            #expect(try JSONValue.parse(bytes) == value)
            #expect(try JSONValue.parse(bytes).serialized() == bytes)
        }
    }

    @Test("canonical bytes are read as the value they were made of, and are canonical themselves")
    func canonicalRoundTrip() throws {
        var generator = SeededGenerator(seed: 8785)
        var hashed = 0
        for _ in 0..<1000 {
            let value = generator.value(depth: 4)
            guard let canonical = try? value.canonical() else { continue }
            hashed += 1
            #expect(try JSONValue.parse(canonical).canonical() == canonical)
        }
        #expect(hashed > 300)
    }

    @Test("a string is the same however it is escaped")
    func spellings() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let text = generator.string()
            #expect(try JSONValue.parse(generator.spelling(of: text)) == .string(text))
        }
    }

    /// A changed document is refused, or it is JSON that survives being written and read again; nothing else happens.
    @Test("changed bytes never crash the reader nor yield what cannot be written", arguments: 0..<20 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &* 7919)
        let telling = Array(#"{}[]",:\u0dD8eE+-.019tfn "#.utf8) + [0x00, 0x1F, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        var read = 0
        for _ in 0..<500 {
            var bytes = generator.value(depth: 3).serialized()
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let byte = telling.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.insert(byte, at: place)
                case 1 where place < bytes.count: bytes[place] = byte
                case 2 where place < bytes.count: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            guard let value = try? JSONValue.parse(bytes) else { continue }
            read += 1
            #expect(try JSONValue.parse(value.serialized()) == value)
        }
        #expect(read > 0, "some of them are read")
    }

    @Test("random bytes never crash the reader")
    func noise() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            _ = try? JSONValue.parse(bytes)
        }
    }
}
