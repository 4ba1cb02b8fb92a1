import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct ConsentFeedItemTests {
    @Test("erasures at two times have two marks, so that one does not pass for the other in a restored database")
    func erasureMarks() {
        let counts = ErasureCounts(consents: 1, decisions: 0, interactions: 0)
        let marks = [Timestamp.noon, .noon + 1].map { ConsentFeedItem.Content.erased(at: $0, counts).mark }
        #expect(marks == [1_795_348_800_000, 1_795_348_800_001])
    }
}
