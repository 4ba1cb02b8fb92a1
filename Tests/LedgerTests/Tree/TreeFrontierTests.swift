import Ledger
import LedgerSamples
import Testing

@Suite("The frontier of a tree")
struct TreeFrontierTests {
    @Test("has the root that the RFC defines, after every entry", arguments: [(0, 600), (65_500, 66_100)])
    func roots(checked: (from: Int, through: Int)) {
        var hasher = TreeHasher()
        var frontier = TreeFrontier()
        let leaves = someLeaves(checked.through)
        // Nearly every root of the first, a sample of the second: defining one takes as many hashes as it has entries.
        let step = checked.from == 0 ? 1 : 97
        for (count, leaf) in leaves.enumerated() {
            if count >= checked.from, count.isMultiple(of: step) {
                let defined = TreeHead(size: UInt64(count), root: definedRoot(of: leaves[..<count], &hasher))
                let head = frontier.head(&hasher)
                #expect(head == defined)
            }
            _ = frontier.append(leaf, &hasher)
        }
    }

    @Test("gives each tile away once, whole, when its last hash has come")
    func tiles() throws {
        var hasher = TreeHasher()
        var frontier = TreeFrontier()
        let leaves = someLeaves(66_000)
        let tiles = leaves.flatMap { frontier.append($0, &hasher) }
        #expect(tiles.map(\.id).filter { $0.level == 0 }.map(\.index) == Array(0..<257))
        #expect(tiles.map(\.id).filter { $0.level == 1 }.map(\.index) == [0])
        #expect(tiles.allSatisfy { $0.hashes.count == Tile.width })
        let second = try #require(tiles.first { $0.id == TileID(level: 0, index: 1) })
        #expect(second.hashes == Array(leaves[256..<512]))
        let above = try #require(tiles.first { $0.id.level == 1 })
        let root = hasher.root(of: second.hashes[...])
        #expect(above.hashes[1] == root)
    }

    @Test("can be made again of its unfinished tiles", arguments: [0, 1, 255, 256, 257, 65_535, 65_536, 65_793])
    func madeAgain(size: Int) throws {
        var hasher = TreeHasher()
        var frontier = TreeFrontier()
        for leaf in someLeaves(size) { _ = frontier.append(leaf, &hasher) }
        let levels = TreeFrontier.widths(of: UInt64(size)).enumerated().map { level, width in
            Array(frontier.levels[level].prefix(width))
        }
        var again = try #require(TreeFrontier(size: UInt64(size), levels: levels))
        let (one, other) = (frontier.head(&hasher), again.head(&hasher))
        #expect(one == other)
        let next = hasher.leaf([1])
        _ = frontier.append(next, &hasher)
        _ = again.append(next, &hasher)
        let (oneAfter, otherAfter) = (frontier.head(&hasher), again.head(&hasher))
        #expect(oneAfter == otherAfter)
    }

    @Test("is not made of tiles that do not fit its size")
    func misfit() {
        let leaves = someLeaves(3)
        #expect(TreeFrontier(size: 3, levels: [leaves]) != nil)
        #expect(TreeFrontier(size: 4, levels: [leaves]) == nil)
        #expect(TreeFrontier(size: 3, levels: [leaves, []]) == nil)
        #expect(TreeFrontier(size: 259, levels: [leaves]) == nil)
    }

    @Test("a tile comes back from its bytes, and from no others")
    func tileBytes() {
        let place = TileID(level: 0, index: 7)
        let tile = Tile(place, someLeaves(5))
        #expect(Tile(place, bytes: tile.bytes) == tile)
        #expect(Tile(place, bytes: Array(tile.bytes.dropLast())) == nil)
        #expect(Tile(place, bytes: [UInt8](repeating: 0, count: 257 * 32)) == nil)
    }
}
