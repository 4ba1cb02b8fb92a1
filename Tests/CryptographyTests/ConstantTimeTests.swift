import Cryptography
import Testing

@Suite struct ConstantTimeTests {
    @Test("a difference is seen in every byte", arguments: 0..<32)
    func difference(_ place: Int) {
        let one = [UInt8](0..<32)
        for bit in 0..<8 {
            var other = one
            other[place] ^= 1 << bit
            #expect(!constantTimeEqual(one, other))
        }
        #expect(constantTimeEqual(one, one))
    }

    @Test("what is shorter is not equal")
    func lengths() {
        #expect(!constantTimeEqual([1, 2], [1]))
        #expect(!constantTimeEqual([], [1]))
        #expect(constantTimeEqual([], []))
    }
}
