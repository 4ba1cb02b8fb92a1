import Ledger
import LedgerSamples
import Testing

@Suite("Tiles of audit exports")
struct AuditTreeTests {
    /// Two levels of whole tiles, and unfinished ones on three.
    private static let count = 66_000

    private func verify(_ tiles: [Tile], _ head: TreeHead) throws -> AuditFault? {
        let signer = try someSigner()
        var writer = AuditExportWriter(
            signer.sign(head), filters: AuditFilters(from: SampleLedger.instant), consistency: nil,
            at: SampleLedger.instant)
        var verifier = AuditVerifier(key: signer.verifier)
        do throws(AuditFault) {
            try verifier.take(writer.begin())
            for tile in tiles { try verifier.take(writer.add(tile)) }
            try verifier.take(writer.finish())
            _ = try verifier.finish()
            return nil
        } catch { return error }
    }

    @Test("those of a whole tree hold, each changed, left out or moved does not")
    func whole() throws {
        let tree = SampleTree(Self.count)
        let tiles = AuditTiles.whole(inTreeOf: tree.head.size).compactMap { tree.tiles[$0] }
        #expect(tiles.count == tree.tiles.count)
        #expect(try verify(tiles, tree.head) == nil)
        let places = [0, 1, 2, 3, 4, 100, tiles.count - 1]
        for place in places {
            var changed = tiles
            let tile = changed[place]
            var hashes = tile.hashes
            hashes[hashes.count / 2] = hashes[hashes.count / 2].changed()
            changed[place] = Tile(tile.id, hashes)
            let fault = try #require(try verify(changed, tree.head), "\(tile.id)")
            #expect(fault == (hashes.count < 256 ? .root(last: 65_792...65_999) : .tile(tile.path, .hash)))

            let narrow = tiles[..<place] + [Tile(tile.id, tile.hashes.dropLast())] + tiles[(place + 1)...]
            #expect(try verify(Array(narrow), tree.head) != nil)
            let twice = tiles[...place] + tiles[place...]
            #expect(try verify(Array(twice), tree.head) != nil)
        }
        for place in places.dropLast() where tiles[place].hashes.count < 256 || tiles[place].id.level > 0 {
            var without = tiles
            without.remove(at: place)
            #expect(try verify(without, tree.head) != nil, "\(tiles[place].id)")
        }
        var exchanged = tiles
        exchanged.swapAt(tiles.count - 1, tiles.count - 2)
        #expect(
            try verify(exchanged, tree.head) == .tile(tiles[tiles.count - 1].path, .order)
                || verify(exchanged, tree.head) == .tile(tiles[tiles.count - 2].path, .order))
        #expect(try verify([], tree.head) == .tileMissing(tiles[0].path))
        for place in places where tiles[place].hashes.count < 256 {
            let without = tiles[..<place] + tiles[(place + 1)...]
            #expect(try verify(Array(without), tree.head) == .tileMissing(tiles[place].path))
        }
    }

    @Test("a few prove a few entries: those at the right edge, and the way up")
    func some() throws {
        let size: UInt64 = 70_000
        #expect(
            AuditTiles.some([0, 200], inTreeOf: size) == [
                TileID(level: 2, index: 0), TileID(level: 1, index: 1), TileID(level: 0, index: 273),
                TileID(level: 1, index: 0), TileID(level: 0, index: 0), TileID(level: 0, index: 200),
            ])
        #expect(AuditTiles.some([273], inTreeOf: size).count == 3)
        #expect(AuditTiles.whole(inTreeOf: size).count == 277)
        #expect(AuditTiles.whole(inTreeOf: 256).count == 2)
        #expect(AuditTiles.whole(inTreeOf: 0).isEmpty)
        let tree = SampleTree(Self.count)
        let tiles = AuditTiles.some([3, 255], inTreeOf: tree.head.size).compactMap { tree.tiles[$0] }
        #expect(tiles.count == 6)
        #expect(try verify(tiles, tree.head) == nil)
    }

    @Test("a tree without entries has none")
    func empty() throws {
        let tree = SampleTree(0)
        #expect(try verify([], tree.head) == nil)
        guard case .checkpoint = try verify([], TreeHead(size: 0, root: tree.head.root.changed())) else {
            Issue.record("a checkpoint of another root was taken")
            return
        }
        guard case .tileMissing = try verify([], TreeHead(size: .max, root: tree.head.root)) else {
            Issue.record("a checkpoint of entries without tiles was taken")
            return
        }
    }
}
