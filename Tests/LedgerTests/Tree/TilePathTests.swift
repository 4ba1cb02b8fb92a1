import Ledger
import Testing

@Suite("Paths of tiles")
struct TilePathTests {
    static let paths: [(path: TilePath, text: String)] = [
        (TilePath(.hashes(level: 0), index: 0), "tile/0/000"),
        (TilePath(.hashes(level: 3), index: 7), "tile/3/007"),
        (TilePath(.hashes(level: 63), index: 999), "tile/63/999"),
        (TilePath(.hashes(level: 0), index: 1000), "tile/0/x001/000"),
        (TilePath(.hashes(level: 0), index: 1_234_067), "tile/0/x001/x234/067"),
        (TilePath(.hashes(level: 0), index: 1_234_067, width: 1), "tile/0/x001/x234/067.p/1"),
        (TilePath(.hashes(level: 1), index: 273, width: 255), "tile/1/273.p/255"),
        (TilePath(.entries, index: 5), "tile/entries/005"),
        (TilePath(.entries, index: 1_000_000, width: 112), "tile/entries/x001/x000/000.p/112"),
        (
            TilePath(.hashes(level: 0), index: .max), "tile/0/x018/x446/x744/x073/x709/x551/615"
        ),
    ]

    @Test("path and text belong together", arguments: paths.indices)
    func pairs(_ place: Int) throws {
        let (path, text) = Self.paths[place]
        #expect(path.description == text)
        #expect(try TilePath(text) == path)
    }

    @Test(
        "no other text is read",
        arguments: [
            "", "tile", "tile/", "tile/0", "tile/0/", "/tile/0/000", "tile/0/000/", "tile/0/00", "tile/0/0000",
            "tile/00/000", "tile/64/000", "tile/-1/000", "tile/+1/000", "tile/x/000", "tile/data/000",
            "tile/0/x000/001",
            "tile/0/001/001", "tile/0/x001", "tile/0/X001/001", "tile/0/x001/x001", "tile/0/x1/001", "tile/0/000.p",
            "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/1/",
            "tile/0/000.p/x",
            "tile/0/000.p/1/2", "tile/0/000.p.p/1", "tile/0/.p/1", "tile//000", "tile/0//000", "tile/0/٠٠٠",
            "tile/0/000\0",
            "tile/0/../000", "tiles/0/000", "tile/0/x018/x446/x744/x073/x709/x551/616",
            "tile/0/x999/x999/x999/x999/x999/x999/999", "tile/0/000.p/18446744073709551617",
        ])
    func refused(text: String) {
        #expect(throws: LedgerError.tilePath) { try TilePath(text) }
    }

    /// The example of tlog-tiles: 273 full tiles on level 0 and one of 112, one full on level 1 and one of 17, one of 1.
    @Test("a tile is as wide as the tree has come")
    func widths() {
        func width(_ level: Int, _ index: UInt64, of size: UInt64 = 70_000) -> Int {
            TileID(level: level, index: index).width(inTreeOf: size)
        }
        #expect([width(0, 0), width(0, 272), width(0, 273), width(0, 274)] == [256, 256, 112, 0])
        #expect([width(1, 0), width(1, 1), width(1, 2)] == [256, 17, 0])
        #expect([width(2, 0), width(2, 1), width(3, 0), width(8, 0)] == [1, 0, 0, 0])
        #expect([width(0, 0, of: 256), width(1, 0, of: 256), width(0, 1, of: 256)] == [256, 1, 0])
        #expect([width(0, .max), width(0, 0, of: 0), width(7, 0, of: .max)] == [0, 0, 255])
    }
}

@Suite("Entry bundles")
struct EntryBundleTests {
    @Test("are entries behind their lengths, big-endian")
    func bytes() throws {
        let long = [UInt8](repeating: 9, count: 300)
        let bundle = try EntryBundle([[1, 2, 3], [], long])
        #expect(bundle.bytes == [0, 3, 1, 2, 3, 0, 0, 1, 44] + long)
        #expect(try EntryBundle([]).bytes.isEmpty)
        #expect(try EntryBundle([[UInt8](repeating: 0, count: 65_535)]).bytes.count == 65_537)
    }

    @Test("neither 257 entries nor one of 65,536 bytes fits")
    func bounds() {
        #expect(throws: LedgerError.entryTooLong(limit: 65_535)) {
            try EntryBundle([[UInt8](repeating: 0, count: 65_536)])
        }
        #expect(throws: LedgerError.self) { try EntryBundle([[UInt8]](repeating: [], count: 257)) }
        #expect(throws: Never.self) { try EntryBundle([[UInt8]](repeating: [], count: 256)) }
    }
}
