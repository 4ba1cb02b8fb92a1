import Interactions
import Testing

@Suite struct OccurrenceTests {
    @Test("an occurrence takes 56 bytes: the drain has two batches of 24,000 and copies of both in memory")
    func size() {
        #expect(MemoryLayout<SpooledOccurrence>.stride == 56)
    }
}
