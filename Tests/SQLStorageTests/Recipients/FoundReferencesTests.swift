import Identifiers
import Testing

@testable import SQLStorage

@Suite struct FoundReferencesTests {
    @Test("what was found in the last two calls is kept")
    func two() throws {
        let (references, found) = (try (1...3).map(reference), FoundReferences())
        for (number, reference) in references.enumerated() { found.keep([reference: recipient(number)]) }
        #expect(references.map { found.kept[$0]?.number } == [nil, 1, 2])
    }

    @Test("what a batch takes with it is not kept beside it, and the next batch keeps its own")
    func take() throws {
        let (references, found) = (try (1...3).map(reference), FoundReferences())
        found.keep([references[0]: recipient(0)])
        found.keep([references[1]: recipient(1)])
        let taken = found.take()
        #expect(references.map { taken[$0]?.number } == [0, 1, nil])
        #expect(references.allSatisfy { found.kept[$0] == nil })
        found.keep([references[2]: recipient(2)])
        #expect(references.map { found.kept[$0]?.number } == [nil, nil, 2])
    }

    private func reference(_ number: Int) throws -> RecipientReference {
        try #require(RecipientReference(rawValue: UInt64(number)))
    }

    private func recipient(_ number: Int) -> FoundReferences.Recipient {
        FoundReferences.Recipient(number: Int64(number), organization: 1, erasures: 0)
    }
}
