import Counting
import Identifiers
import Interactions
import TestSupport
import Testing
import UseCases

@testable import Console

/// The sentence about clicks that are lost.
@Suite struct HealthBannerTests {
    private func banner(_ counts: [UInt64], _ language: ConsoleLanguage, links: [ReadinessReason] = []) -> HealthBanner
    {
        var (watch, sample) = (LossWatch(), Self.sample(0))
        watch.add(sample, at: .noon)
        for (second, count) in counts.enumerated() {
            sample = Self.sample(count)
            watch.add(sample, at: .noon + Int64(second) * 1_000)
        }
        let state = ServiceState(
            sample: sample, losses: watch, history: DayHistory(), links: links, api: [], unjudged: 0, disks: [],
            sharing: nil, lastBackup: .absent, closedLedgers: [])
        return HealthBanner(state, HealthTexts.all[language], NumberFormat(language: language))
    }

    private static func sample(_ lost: UInt64) -> ActivitySample {
        ActivitySample(
            recorded: 0, unrecorded: [.full: lost], spoolDepth: 0,
            commits: Histogram(boundsInMicroseconds: [1]).reading, refusal: nil)
    }

    @Test("one click and many have words of their own")
    func numbers() {
        #expect(banner([1], .english).detail.hasSuffix(", 1 click was redirected without a record."))
        #expect(banner([1200], .english).detail.hasSuffix(", 1,200 clicks were redirected without a record."))
        #expect(banner([1], .german).detail.hasSuffix(" wurde 1 Klick ohne Aufzeichnung weitergeleitet."))
        #expect(banner([1200], .german).detail.hasSuffix(" wurden 1.200 Klicks ohne Aufzeichnung weitergeleitet."))
    }

    @Test("it is bad while clicks are lost, a warning while something is not ready, else good")
    func tones() {
        #expect(banner([], .english).tone == .good)
        #expect(banner([], .english, links: [.diskFull]).tone == .warning)
        #expect(banner([3], .english, links: [.diskFull]).tone == .bad)
    }
}
