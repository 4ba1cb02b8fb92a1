import Cryptography
import Identifiers
import Testing

@testable import SQLStorage

@Suite struct LedgerSealsTests {
    private static let hashes = (0..<64).map { UInt8($0) }

    private let seals: LedgerSeals
    private let acme: OrganizationID
    private let seal: [UInt8]

    init() throws {
        seals = try LedgerSeals(erasureKey: SecretBytes([UInt8](repeating: 7, count: 32)))
        acme = try OrganizationID("acme")
        seal = seals.seal(of: 2, Self.hashes, in: acme)
    }

    @Test("a seal is HMAC-SHA-256 of organization, a zero byte, the size and the hashes, under a key of its own")
    func vector() throws {
        let expected = "ed792139d864eafadd858ca9dc6f8e2f167e233d51adf36fa781c7eae1afa172"
        #expect(try Hexadecimal.decode(expected) == seal)
        #expect(seals.isSeal(seal, of: 2, Self.hashes, in: acme))
    }

    @Test("no other state, no other ledger and no other key has the same seal")
    func others() throws {
        for place in Self.hashes.indices {
            var changed = Self.hashes
            changed[place] ^= 1
            #expect(!seals.isSeal(seal, of: 2, changed, in: acme))
        }
        #expect(!seals.isSeal(seal, of: 3, Self.hashes, in: acme))
        #expect(!seals.isSeal(seal, of: 2, Array(Self.hashes.dropLast()), in: acme))
        #expect(!seals.isSeal(seal, of: 2, Self.hashes + [0], in: acme))
        for other in ["acm", "acmea", "globex"] {
            #expect(!seals.isSeal(seal, of: 2, Self.hashes, in: try OrganizationID(other)))
        }
        let others = try LedgerSeals(erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(!others.isSeal(seal, of: 2, Self.hashes, in: acme))
    }

    @Test("a seal that was flipped, cut, extended or emptied is none")
    func changed() {
        for place in seal.indices {
            var changed = seal
            changed[place] ^= 0x80
            #expect(!seals.isSeal(changed, of: 2, Self.hashes, in: acme))
        }
        for changed in [Array(seal.dropLast()), seal + [0], []] {
            #expect(!seals.isSeal(changed, of: 2, Self.hashes, in: acme))
        }
    }

    @Test("seals are demanded once that was said, and not before")
    func demand() {
        #expect(!seals.areDemanded)
        seals.demandAll()
        #expect(seals.areDemanded)
    }
}
