import Identifiers
import TestSupport
import Testing
import TrackingIDs

/// A link tells nothing: not that two went to the same person, nor that two are of the same message.
@Suite struct OpacityTests {
    enum Relation: CaseIterable, Sendable {
        case sameRecipient, sameMessage, strangers
    }

    static let subject = 8..<24
    static let tag = 24..<40

    @Test("related tokens share no more bits than those of strangers", arguments: Relation.allCases)
    func sharedBits(_ relation: Relation) throws {
        let pairs = try Self.pairs(relation, count: 4000)
        for field in [Self.subject, Self.tag] {
            let shared = pairs.map { one, other in
                field.reduce(0) { $0 + 8 - (one[$1] ^ other[$1]).nonzeroBitCount }
            }
            // 64 of 128 bits by chance. The mean of 4,000 pairs is within 0.09 of it (one standard deviation), so 0.9
            // is ten; no pair comes near to sharing all.
            let mean = Double(shared.reduce(0, +)) / Double(shared.count)
            #expect(abs(mean - 64) < 0.9)
            #expect(shared.allSatisfy { $0 < 110 })
        }
    }

    @Test("no place of the subject or tag is more often equal than chance has it", arguments: Relation.allCases)
    func sharedBytes(_ relation: Relation) throws {
        let pairs = try Self.pairs(relation, count: 4000)
        for place in Self.subject.lowerBound..<Self.tag.upperBound {
            let equal = pairs.count { $0[place] == $1[place] }
            // 15.6 by chance, with a standard deviation of 3.9.
            #expect(equal < 60)
        }
    }

    @Test("neither half of the subject repeats when the message or the recipient does", arguments: Relation.allCases)
    func halves(_ relation: Relation) throws {
        for (one, other) in try Self.pairs(relation, count: 4000) {
            #expect(one[8..<16] != other[8..<16] && one[16..<24] != other[16..<24])
            #expect(one[8..<16] != other[16..<24] && one[16..<24] != other[8..<16])
        }
    }

    @Test("no byte of the message id or the reference stands in a token as it is")
    func nothingInTheClear() throws {
        let id = try TrackingID.sample(message: 0x0101_0101_0101_0101, recipient: 0x0202_0202_0202_0202)
        let bytes = try Forgery(of: id, sealedBy: .sample()).bytes
        #expect(bytes[8..<24].count { $0 == 1 || $0 == 2 } < 4)
    }

    /// Tokens of the same key, link and expiry, so that subject and tag alone can tell.
    private static func pairs(_ relation: Relation, count: Int) throws -> [(one: [UInt8], other: [UInt8])] {
        var generator = SeededGenerator(seed: 5)
        let sealer = try TrackingIDSealer(keyRing: .sample())
        func sealed(_ message: UInt64, _ recipient: UInt64) throws -> [UInt8] {
            let bytes = sealer.bytes(of: try .sample(message: message, recipient: recipient))
            return bytes.indices.map { bytes[$0] }
        }
        return try (0..<count).map { _ in
            let message = UInt64.random(in: 1..<UInt64(Int64.max), using: &generator)
            let recipient = UInt64.random(in: 1..<UInt64.max, using: &generator)
            let one = try sealed(message, recipient)
            return switch relation {
            case .sameRecipient: (one, try sealed(message + 1, recipient))
            case .sameMessage: (one, try sealed(message, recipient + 1))
            case .strangers:
                (
                    one,
                    try sealed(
                        .random(in: 1...UInt64(Int64.max), using: &generator),
                        .random(in: 1...UInt64.max, using: &generator)
                    )
                )
            }
        }
    }
}
