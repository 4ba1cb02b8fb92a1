import Testing
import TrackingIDs

@Suite struct KeyRingDerivedTests {
    private struct NotMade: Error {}

    @Test("a value is made once for each ring, and again only when it is used")
    func renewal() throws {
        let keys = CurrentKeyRing(.sample())
        let signing = try KeyRingDerived(keys) { $0.signingKey.id }
        #expect(signing.use { $0 } == 1)
        keys.replace(with: try keys.value.rotatedForTest(seed: 9))
        #expect(signing.use { $0 } == 2)
    }

    @Test("while no value can be made of the new ring, the last one is used")
    func failure() throws {
        let keys = CurrentKeyRing(.sample())
        let signing = try KeyRingDerived(keys) { ring in
            guard ring.signingKey.id != 2 else { throw NotMade() }
            return ring.signingKey.id
        }
        for used: UInt8 in [1, 3] {
            keys.replace(with: try keys.value.rotatedForTest(seed: 9))
            #expect(signing.use { $0 } == used)
        }
    }
}
