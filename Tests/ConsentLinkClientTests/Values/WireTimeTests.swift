import Foundation
import Testing

@testable import ConsentLinkClient

@Suite struct WireTimeTests {
    @Test(
        "a time is written in UTC with milliseconds, and read back as the same",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_793_188_800_123, "2026-10-28T12:00:00.123Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func both(_ milliseconds: Int64, _ text: String) throws {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        #expect(WireTime.text(date) == text)
        let read = try #require(WireTime.date(text))
        #expect(Int64((read.timeIntervalSince1970 * 1000).rounded()) == milliseconds)
    }

    @Test("every millisecond of a second comes back as it was")
    func milliseconds() throws {
        for millisecond in 0..<1000 {
            let zeros = String(repeating: "0", count: 3 - String(millisecond).count)
            let text = "2026-11-20T09:00:00.\(zeros)\(millisecond)Z"
            #expect(WireTime.text(try #require(WireTime.date(text))) == text)
        }
    }

    @Test(
        "what the service does not write is no time",
        arguments: [
            "", "2026-11-20", "2026-11-20T09:00:00Z", "2026-11-20T09:00:00.000", "2026-11-20T09:00:00.000z",
            "2026-13-20T09:00:00.000Z", "2026-00-20T09:00:00.000Z", "2026-11-32T09:00:00.000Z",
            "2026-11-20T24:00:00.000Z", "2026-11-20T09:60:00.000Z", "2026-11-20 09:00:00.000Z",
            "2026-11-20T09:00:+1.000Z", "2026-11-20T09:00:00.00éZ",
        ])
    func noTime(_ text: String) { #expect(WireTime.date(text) == nil) }
}
