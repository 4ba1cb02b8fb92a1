import Identifiers
import Interactions
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteSpool

@Suite struct OccurrenceBatchTests {
    private static let id = InteractionID(TimeOrderedNumber(known: 0x0102_0304_0506_0708))

    private static func sample(action: ActionIdentifier? = ActionIdentifier("buy")) throws -> Occurrence {
        Occurrence(
            kind: .pushNotificationClicked,
            source: .adobeCampaign,
            occurredAt: Timestamp(millisecondsSince1970: -2),
            message: MessageID(TimeOrderedNumber(known: 0x1112_1314_1516_1718)),
            recipient: try #require(RecipientReference(rawValue: 0xF1F2_F3F4_F5F6_F7F8)),
            link: LinkIndex(rawValue: 0x0203),
            visitor: .scannerAgent,
            action: action
        )
    }

    private static func encoded() throws -> [UInt8] {
        var bytes: [UInt8] = [9, 9, 9]
        OccurrenceBatch.encode([try sample()], into: &bytes) { id }
        return bytes
    }

    @Test("the layout is the documented one")
    func layout() throws {
        #expect(
            try Self.encoded() == [
                1,
                0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
                0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
                0x02, 0x03, 2, 3, 5, 3, UInt8(ascii: "b"), UInt8(ascii: "u"), UInt8(ascii: "y"),
            ]
        )
    }

    @Test("everything that can be comes back as it was")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 6)
        let references = (0..<9).map { _ in RecipientReference(using: &random) }
        let messages = [MessageID(TimeOrderedNumber(known: 1)), MessageID(TimeOrderedNumber(known: UInt64(Int64.max)))]
        let occurrences = (0..<1000).compactMap { _ in Occurrence.random(of: messages, by: references, &random) }
        var (bytes, number): ([UInt8], UInt64) = ([], 0)
        OccurrenceBatch.encode(occurrences, into: &bytes) {
            number += 1
            return InteractionID(TimeOrderedNumber(known: number))
        }
        var decoded: [SpooledOccurrence] = []
        try OccurrenceBatch.decode(bytes, appendingTo: &decoded)
        #expect(decoded.map(\.occurrence) == occurrences)
        #expect(decoded.map(\.id.rawValue) == Array(1...1000))
    }

    @Test(
        "a batch of the version that kept classes alone is read, and tells no more than was known",
        arguments: [(0, .formerPerson), (1, .crawlerAgent), (2, .previewerAgent), (3, .formerMachine)]
            as [(UInt8, Visitor)]
    )
    func withoutReasons(_ byte: UInt8, _ visitor: Visitor) throws {
        var bytes = try Self.encoded()
        bytes[37] = byte
        var decoded: [SpooledOccurrence] = []
        try OccurrenceBatch.decode(bytes, appendingTo: &decoded)
        #expect(decoded.map(\.occurrence.visitor) == [visitor])
    }

    @Test(
        "a batch says by what its clicks are judged, in the same way in every version",
        arguments: zip(SpooledOccurrence.Certainty.allCases, [1, 2, 3] as [UInt8]))
    func certainty(_ certainty: SpooledOccurrence.Certainty, _ version: UInt8) throws {
        var bytes: [UInt8] = []
        OccurrenceBatch.encode([try Self.sample()], certainty, into: &bytes) { Self.id }
        #expect(bytes.first == version)
        var decoded: [SpooledOccurrence] = []
        try OccurrenceBatch.decode(bytes, appendingTo: &decoded)
        #expect(decoded.map(\.certainty) == [certainty])
    }

    @Test("a batch that is cut anywhere is refused", arguments: 0..<42)
    func cut(_ length: Int) throws {
        try expectRefusal(Array(Self.encoded().prefix(length)))
    }

    @Test("a batch with a byte too many is refused")
    func extended() throws { try expectRefusal(Self.encoded() + [0]) }

    @Test(
        "a field that says nothing known is refused",
        arguments: [
            (0, 0), (0, 4), (1, 0x80), (9, 0x80), (35, 0), (35, 6), (36, 0), (36, 5), (37, 12), (38, 2), (38, 4),
            (39, 0xFF),
        ] as [(Int, UInt8)]
    )
    func unknown(_ place: Int, _ byte: UInt8) throws {
        var bytes = try Self.encoded()
        bytes[place] = byte
        try expectRefusal(bytes)
    }

    @Test("a reference of zero is refused")
    func nobody() throws {
        var bytes = try Self.encoded()
        bytes.replaceSubrange(17..<25, with: [UInt8](repeating: 0, count: 8))
        try expectRefusal(bytes)
    }

    @Test("of a batch that goes wrong in the middle nothing is used")
    func secondGoesWrong() throws {
        var bytes: [UInt8] = []
        OccurrenceBatch.encode([try Self.sample(), try Self.sample()], into: &bytes) { Self.id }
        bytes.removeLast()
        try expectRefusal(bytes)
    }

    private func expectRefusal(_ bytes: [UInt8]) throws {
        let before = SpooledOccurrence(id: Self.id, occurrence: try Self.sample(action: nil))
        var decoded = [before]
        #expect(throws: UnreadableBatch()) { try OccurrenceBatch.decode(bytes, appendingTo: &decoded) }
        #expect(decoded == [before])
    }
}
