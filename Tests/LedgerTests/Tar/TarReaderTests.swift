import TestSupport
import Testing

@testable import Ledger

@Suite struct TarReaderTests {
    /// What a reader says of an archive: each part as a text, and a fault last.
    private func parts(_ archive: [UInt8], by length: Int = .max) -> [String] {
        var reader = TarReader()
        var parts: [String] = []
        var contents: [UInt8] = []
        do throws(TarError) {
            var rest = archive[...]
            while !rest.isEmpty {
                var chunk = rest.prefix(length)
                rest = rest.dropFirst(length)
                while let part = try reader.next(&chunk) {
                    switch part {
                    case .file(let header): parts.append("\(header.name) \(header.size)")
                    case .bytes(let bytes): contents += bytes
                    case .endOfFile:
                        parts.append(String(decoding: contents, as: UTF8.self))
                        contents = []
                    case .end: parts.append("end")
                    }
                }
            }
            try reader.finish()
        } catch { parts.append("!\(error)") }
        return parts
    }

    private func file(_ name: String, _ contents: String) throws -> [UInt8] {
        let bytes = Array(contents.utf8)
        let header = try #require(TarHeader(name: name, size: UInt64(bytes.count), modified: 1))
        return header.bytes + bytes + [UInt8](repeating: 0, count: TarHeader.padding(after: UInt64(bytes.count)))
    }

    private let end = [UInt8](repeating: 0, count: 1024)

    @Test(
        "files come in their order with what is in them, whatever pieces the archive comes in",
        arguments: [1, 7, 512, .max])
    func files(_ length: Int) throws {
        let long = String(repeating: "x", count: 512)
        let archive = try file("a", "one") + file("b/c.txt", "") + file("d", long) + file("e", long + "y") + end
        #expect(
            parts(archive, by: length) == ["a 3", "one", "b/c.txt 0", "", "d 512", long, "e 513", long + "y", "end"])
        #expect(parts(end, by: length) == ["end"])
    }

    @Test("an archive that is cut anywhere is cut short")
    func cut() throws {
        let archive = try file("a", "one") + end
        for length in [0, 1, 511, 512, 514, 515, 1023, 1024, 1500, archive.count - 1] {
            #expect(parts(Array(archive.prefix(length))).last == "!cutShort", "\(length)")
        }
    }

    @Test("a compressed archive is told as such, short or long, but not behind a file", arguments: [2, 300, 2000])
    func compressed(_ length: Int) throws {
        for begin: [UInt8] in [
            [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], Array("BZh9".utf8),
            [0x50, 0x4B, 3, 4],
        ] {
            let bytes = begin + [UInt8](repeating: 7, count: length)
            #expect(parts(bytes).last == "!compressed")
            #expect(parts(Array(bytes.dropFirst())).last == (length < 512 ? "!cutShort" : "!header"))
            #expect(parts(try file("a", "one") + bytes).last == (length < 512 ? "!cutShort" : "!header"))
        }
        #expect(TarError.compressed.rawValue.contains("decompress it first"))
    }

    @Test("what stands between the files, in the end or behind it is refused", arguments: [1, .max])
    func strayBytes(_ length: Int) throws {
        let archive = try file("a", "one") + end
        for (position, fault) in [
            (515, "padding"), (1023, "padding"), (1536, "trailingBytes"), (2047, "trailingBytes"),
        ] {
            var changed = archive
            changed[position] = 1
            #expect(parts(changed, by: length).last == "!\(fault)", "\(position)")
        }
        #expect(parts(archive + [0], by: length).last == "!trailingBytes", "not even a zero")
        #expect(parts(archive + archive, by: length).last == "!trailingBytes")
    }

    @Test("each byte of a header that is changed makes it none that exports have")
    func header() throws {
        let header = try #require(TarHeader(name: "entries/000001.ndjson", size: 0o1234, modified: 0o7654))
        for position in 0..<TarHeader.blockLength {
            for bit in [1, 0x80] as [UInt8] {
                var changed = header.bytes
                changed[position] ^= bit
                #expect(TarHeader(changed[...]) == nil, "byte \(position)")
            }
        }
        #expect(TarHeader(header.bytes[...]) == header)
        #expect(TarHeader(header.bytes.dropLast()) == nil)
    }
}

@Suite struct TarHeaderTests {
    @Test("a header comes back from its bytes, at the bounds of each field")
    func roundTrip() throws {
        let names = ["a", String(repeating: "n", count: 100), "tiles/0/x001/x234/067.p/8", "~"]
        for name in names {
            for number in [0, 1, 511, 512, TarHeader.maximumSize] as [UInt64] {
                let header = try #require(
                    TarHeader(name: name, size: number, modified: TarHeader.maximumSize - number))
                #expect(header.bytes.count == 512)
                #expect(TarHeader(header.bytes[...]) == header)
            }
        }
    }

    @Test(
        "what a header cannot say is none",
        arguments: ["", String(repeating: "n", count: 101), "a b", "a\n", "ü", "a\u{0}", "\u{7F}"])
    func names(_ name: String) { #expect(TarHeader(name: name, size: 0, modified: 0) == nil) }

    @Test("numbers of twelve digits are none")
    func numbers() {
        let tooLarge = TarHeader.maximumSize + 1
        #expect(TarHeader(name: "a", size: tooLarge, modified: 0) == nil)
        #expect(TarHeader(name: "a", size: 0, modified: tooLarge) == nil)
    }

    @Test("files are padded to whole blocks", arguments: [(0, 0), (1, 511), (511, 1), (512, 0), (513, 511)])
    func padding(_ size: UInt64, _ padding: Int) { #expect(TarHeader.padding(after: size) == padding) }

    @Test(
        "other kinds of entries are not read, though their sums are right",
        arguments: ["1", "2", "5", "x", "g", "\u{0}"])
    func kinds(_ kind: Character) throws {
        var block = try #require(TarHeader(name: "a", size: 0, modified: 0)).bytes
        block[156] = try #require(kind.asciiValue)
        for position in 148..<156 { block[position] = UInt8(ascii: " ") }
        let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
        let digits = String(repeating: "0", count: 6 - sum.count) + sum
        for (offset, digit) in digits.utf8.enumerated() { block[148 + offset] = digit }
        block[154] = 0
        #expect(TarHeader(block[...]) == nil)
    }
}
