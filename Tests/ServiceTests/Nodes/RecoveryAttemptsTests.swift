import Testing

@testable import Service

/// Restarts of a node whose database answers, and then cannot be opened.
@Suite struct RecoveryAttemptsTests {
    @Test("each image tells the next one of the attempts before it")
    func handedOver() {
        let first = RecoveryAttempts(handedOver: nil)
        #expect(!first.isExpected)
        #expect(first.handOver.isEmpty)
        first.begin()
        let second = RecoveryAttempts(handedOver: "public=3:lockFile=7" + first.handOver)
        #expect(second.isExpected)
        #expect(second.earlier == 1)
        second.begin()
        #expect(RecoveryAttempts(handedOver: "public=3" + second.handOver).earlier == 2)
    }

    @Test(
        "a text that an operator has set by hand means nothing",
        arguments: ["recoveries", "recoveries=x", "=", "recoveries=-3"])
    func byHand(_ text: String) {
        #expect(!RecoveryAttempts(handedOver: text).isExpected)
    }

    @Test(
        "the next attempt comes later each time",
        arguments: [
            (0, false, 1), (0, true, 10), (1, false, 10), (1, true, 10), (2, false, 20), (4, true, 80), (9, false, 300),
            (Int.max, true, 300),
        ])
    func interval(_ earlier: Int, _ isRefused: Bool, _ seconds: Int) {
        #expect(RecoveryAttempts(earlier: earlier).interval(isRefused: isRefused) == .seconds(seconds))
    }
}
