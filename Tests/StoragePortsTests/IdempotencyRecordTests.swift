import StoragePorts
import Testing

@Suite struct IdempotencyRecordTests {
    @Test("requests are known again for 24 hours")
    func lifetime() { #expect(IdempotencyRecord.lifetime == .seconds(24 * 3600)) }
}
