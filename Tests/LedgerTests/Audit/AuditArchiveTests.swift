import Cryptography
import Identifiers
import Ledger
import LedgerSamples
import Testing

@Suite("Archives that are no audit exports")
struct AuditArchiveTests {
    private func archived(_ name: String, _ content: [UInt8]) throws -> [UInt8] {
        let header = try #require(TarHeader(name: name, size: UInt64(content.count), modified: 0))
        return header.bytes + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// The parts that an archive is made of: every header with its file.
    private func parts(of bytes: [UInt8]) -> [[UInt8]] {
        var (parts, place): ([[UInt8]], Int) = ([], 0)
        while place + 512 <= bytes.count, bytes[place] != 0 {
            let size = String(decoding: bytes[(place + 124)..<(place + 135)], as: UTF8.self)
            let length = 512 + ((Int(size, radix: 8) ?? 0) + 511) / 512 * 512
            parts.append(Array(bytes[place..<(place + length)]))
            place += length
        }
        return parts
    }

    private static let end = [UInt8](repeating: 0, count: 1024)

    @Test("tar reads what is written: names, sizes and contents")
    func readByTar() throws {
        let ledger = try SampleLedger(300)
        let names = parts(of: try ledger.export()).map { part in
            String(decoding: part.prefix { $0 != 0 }, as: UTF8.self)
        }
        #expect(
            names == [
                "README.txt", "checkpoint", "tile/1/000.p/1", "tile/0/001.p/44", "tile/0/000", "entries/000001.ndjson",
                "interactions/000001.ndjson", "manifest.json",
            ])
    }

    @Test("cut anywhere it does not hold")
    func cut() throws {
        let ledger = try SampleLedger(6)
        let bytes = try ledger.export()
        for length in stride(from: 0, to: bytes.count, by: 61) {
            #expect(ledger.fault(in: Array(bytes.prefix(length))) != nil, "\(length)")
        }
        for length in (bytes.count - 1030)..<bytes.count {
            #expect(ledger.fault(in: Array(bytes.prefix(length))) == .archive(.cutShort), "\(length)")
        }
    }

    @Test("with anything behind its end it does not hold", arguments: [1, 512, 1024, 10_240])
    func trailing(count: Int) throws {
        let ledger = try SampleLedger(6)
        for byte in [0, 1] as [UInt8] {
            let bytes = try ledger.export() + [UInt8](repeating: byte, count: count)
            #expect(ledger.fault(in: bytes) == .archive(.trailingBytes))
        }
    }

    /// An export whose entries are in these files.
    private func export(_ export: [UInt8], entries: [[UInt8]]) throws -> [UInt8] {
        let parts = parts(of: export)
        let place = try #require(parts.firstIndex { $0.starts(with: "entries/".utf8) })
        let cut = try entries.enumerated().flatMap { try archived("entries/00000\($0 + 1).ndjson", $1) }
        return Array((parts[..<place] + [cut] + parts[place...].filter { !$0.starts(with: "entries/".utf8) }).joined())
            + Self.end
    }

    private func lines(of export: [UInt8]) -> [[UInt8]] {
        parts(of: export).filter { $0.starts(with: "entries/".utf8) }.flatMap { part in
            part.dropFirst(512).split { $0 == UInt8(ascii: "\n") || $0 == 0 }.map { Array($0) + [UInt8(ascii: "\n")] }
        }
    }

    @Test("entries that are cut into files at another line are refused", arguments: [0, 1, 150, 299, 300])
    func cutAnew(_ place: Int) throws {
        let ledger = try SampleLedger(300)
        let whole = try ledger.export()
        let lines = lines(of: whole)
        #expect(lines.count == 300)
        let files = [Array(lines[..<place].joined()), Array(lines[place...].joined())]
        let name = place == 0 ? "entries/000001.ndjson" : "entries/000002.ndjson"
        #expect(ledger.fault(in: try export(whole, entries: files)) == .cut(name))
    }

    @Test("an export cuts its entries after 10,000 lines, and no other one is accepted")
    func cutAfterLines() throws {
        let ledger = try SampleLedger(10_003)
        let whole = try ledger.export()
        #expect(ledger.fault(in: whole) == nil)
        let lines = lines(of: whole)
        #expect(lines.count == 10_003)
        for place in [9_999, 10_001, 10_003] {
            let files = [lines[..<place], lines[place...]].map { Array($0.joined()) }.filter { !$0.isEmpty }
            let name = place < 10_000 ? "entries/000002.ndjson" : "entries/000001.ndjson"
            #expect(ledger.fault(in: try export(whole, entries: files)) == .cut(name))
        }
    }

    @Test("a part of interactions without a line is refused")
    func emptyPart() throws {
        let ledger = try SampleLedger(300)
        let parts = parts(of: try ledger.export())
        let place = try #require(parts.firstIndex { $0.starts(with: "interactions/".utf8) })
        let empty = try archived("interactions/000001.ndjson", [])
        let bytes = Array((parts[..<place] + [empty] + parts[(place + 1)...]).joined()) + Self.end
        #expect(ledger.fault(in: bytes) == .cut("interactions/000001.ndjson"))
    }

    @Test("a file twice, left out or in another place is refused")
    func order() throws {
        let ledger = try SampleLedger(300)
        let parts = parts(of: try ledger.export())
        for place in parts.indices {
            let twice = Array((parts[...place] + parts[place...]).joined()) + Self.end
            #expect(ledger.fault(in: twice) != nil, "\(place) twice")
            var without = parts
            without.remove(at: place)
            #expect(ledger.fault(in: Array(without.joined()) + Self.end) != nil, "without \(place)")
            if place > 0 {
                var exchanged = parts
                exchanged.swapAt(place, place - 1)
                #expect(ledger.fault(in: Array(exchanged.joined()) + Self.end) != nil, "\(place) exchanged")
            }
        }
    }

    @Test(
        "a file of another name is refused",
        arguments: [
            "../../etc/passwd", "/etc/passwd", "tile/../checkpoint", "entries/000002.ndjson", "entries/1.ndjson",
            "entries/000001.ndjson/x", "tile/0/000.p/0", "tile/entries/000", "README", "x",
        ])
    func names(name: String) throws {
        let ledger = try SampleLedger(300)
        let parts = parts(of: try ledger.export())
        let strange = try archived(name, Array("x".utf8))
        for place in [0, 1, 2, 5, 6, 7, 8] {
            let bytes = Array((parts[..<place] + [strange] + parts[place...]).joined()) + Self.end
            #expect(ledger.fault(in: bytes) != nil, "before \(place)")
        }
    }

    @Test("headers of links, folders, devices, sparse and extended files are refused, and those that do not add up")
    func headers() throws {
        let ledger = try SampleLedger(6)
        let bytes = try ledger.export()
        func edited(_ edit: (inout [UInt8]) -> Void) -> [UInt8] {
            var header = Array(bytes.prefix(512))
            edit(&header)
            for place in 148..<156 { header[place] = UInt8(ascii: " ") }
            let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
            let digits = String(repeating: "0", count: 6 - sum.count) + sum
            for (offset, digit) in digits.utf8.enumerated() { header[148 + offset] = digit }
            header[154] = 0
            return header + bytes.dropFirst(512)
        }
        #expect(ledger.fault(in: edited { _ in }) == nil)
        for type in "1234567xgSLKVMDA\0".utf8 {
            #expect(ledger.fault(in: edited { $0[156] = type }) == .archive(.header), "type \(type)")
        }
        // Mode, owner, size in base 256, linked name, magic, version, user, device, prefix, what is behind.
        for (place, byte) in [
            (106, 0x37), (108, 0x31), (124, 0x80), (157, 0x61), (262, 0x20), (263, 0x20), (265, 0x61), (329, 0x31),
            (345, 0x61), (500, 0x01), (511, 0x01), (135, 0x20), (124, 0x20), (0, 0x0A), (0, 0x80),
        ] as [(Int, UInt8)] {
            #expect(ledger.fault(in: edited { $0[place] = byte }) == .archive(.header), "byte \(place)")
        }
        var sum = bytes
        sum[150] ^= 1
        #expect(ledger.fault(in: sum) == .archive(.header))
    }

    @Test("sizes beyond what a file can be are refused before anything is read of it")
    func sizes() throws {
        let ledger = try SampleLedger(300)
        let parts = parts(of: try ledger.export())
        for (place, name) in [
            (0, "README.txt"), (1, "checkpoint"), (2, "consistency"), (2, "tile/1/000.p/1"), (7, "manifest.json"),
        ] {
            let header = try #require(TarHeader(name: name, size: 1 << 33 - 1, modified: 0))
            let bytes = Array(parts[..<place].joined()) + header.bytes
            #expect(ledger.fault(in: bytes) == .fileTooLong(name))
        }
        #expect(TarHeader(name: "x", size: 1 << 33, modified: 0) == nil)
        #expect(TarHeader(name: String(repeating: "x", count: 101), size: 0, modified: 0) == nil)
        #expect(TarHeader(name: "a b", size: 0, modified: 0) == nil)
    }

    @Test("a line without end is given up, as is one longer than any entry")
    func lines() throws {
        let ledger = try SampleLedger(300)
        let parts = parts(of: try ledger.export())
        let before = Array(parts[..<5].joined())
        let name = "entries/000001.ndjson"
        let long = try archived(name, [UInt8](repeating: 0x7B, count: 1 << 21))
        #expect(ledger.fault(in: before + long) == .line(LineLocation(file: name, line: 1), .tooLong))
        let endless = try archived(name, Array(parts[5].dropFirst(512).prefix { $0 != 0x0A }))
        #expect(ledger.fault(in: before + endless) == .line(LineLocation(file: name, line: 1), .noNewline))
        let cut = try archived(name, Array(parts[5].dropFirst(512).prefix { $0 != 0x0A }) + [0x0A, 0x7B])
        #expect(ledger.fault(in: before + cut) == .line(LineLocation(file: name, line: 2), .noNewline))
        for text in [
            "\n", "{}\n", #"{"entry":{}}"# + "\n", #"{"entry":{},"index":0} "# + "\n",
            #"{"index":0,"entry":{}}"# + "\n",
            #"{"entry":{},"index":00}"# + "\n", #"{"entry":{"a":"},"index":0}"# + "\n", #"{"entry":{"a":"\"# + "\n",
            #"{"entry":{},"index":0,"private":{},"salt":"AA=="}"# + "\n",
            #"{"entry":{},"index":0,"salt":"AA=="}"# + "\n",
            #"{"entry":{},"index":0,"private":{}}"# + "\n", #"{"entry":{},"index":99999999999999999999}"# + "\n",
            #"{"entry":[]],"index":0}"# + "\n", #"{"entry":"x","index":0}"# + "\n",
        ] {
            let file = try archived(name, Array(text.utf8))
            #expect(ledger.fault(in: before + file) == .line(LineLocation(file: name, line: 1), .form), "\(text)")
        }
    }

    @Test("files that no tree proves are compared with their sums")
    func sums() throws {
        let ledger = try SampleLedger(6)
        let bytes = try ledger.export()
        for (old, new, name) in [
            ("neither the service", "Neither the service", "README.txt"),
            (#""automated":false,"first":true"#, #""automated":true,"first":false"#, "interactions/000001.ndjson"),
        ] {
            var changed = Substitution(bytes)
            changed.replace(Array(old.utf8), with: Array(new.utf8))
            #expect(ledger.fault(in: changed.bytes) == .sum(name))
        }
    }

    @Test("a manifest of another checkpoint, with other counts or in another form is refused")
    func manifest() throws {
        let ledger = try SampleLedger(6)
        let bytes = try ledger.export()
        let root = ledger.tree.head.root
        for (old, new) in [
            (#""entries":6"#, #""entries":7"#), (#""decisions":2"#, #""decisions":3"#),
            (#""consents":1"#, #""consents":2"#),
            (#""interactions":2"#, #""interactions":3"#), (#""size":6}"#, #""size":5}"#),
            (#""root":"\#(root.text)"#, #""root":"\#(root.changed().text)"#),
            (#""format":"consentlink"#, #""format":"consentlinc"#),
            (#""origin":"links"#, #""origin":"linkz"#), (#"{"counts":{"#, #"{ "counts":"#),
            (#""name":"checkpoint""#, #""name":"checkpoinT""#), (#""filters":{}"#, #""filters":[]"#),
        ] {
            var changed = Substitution(bytes)
            changed.replace(Array(old.utf8), with: Array(new.utf8))
            #expect(ledger.fault(in: changed.bytes) != nil, "\(old)")
        }
    }

    /// Of all the bytes of an export three digits are nobody's to prove: the milliseconds in which it was made. The
    /// seconds stand in the headers of the files too.
    @Test("every byte changed is noticed, but for the milliseconds that the manifest says it was made at")
    func everyByte() throws {
        let ledger = try SampleLedger(5)
        let bytes = try ledger.export()
        let key = Array(#""exportedAt":""#.utf8)
        let instant = try #require(bytes.firstRange(of: key))
        let digits = instant.upperBound + "2026-11-21T09:00:00.".utf8.count
        let immaterial = digits..<(digits + 3)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            let fault = ledger.fault(in: changed)
            if fault == nil { #expect(immaterial.contains(place), "byte \(place)") }
        }
    }
}
