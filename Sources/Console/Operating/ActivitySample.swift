package import Counting
package import Interactions

/// The counters of the redirect at one moment. They begin at 0 with the process.
package struct ActivitySample: Sendable {
    /// Clicks that became durable.
    let recorded: UInt64
    /// Clicks that were not durable when their reader was redirected.
    let unrecorded: [UnrecordedReason: UInt64]
    /// Clicks that wait to be stored.
    let spoolDepth: Int
    /// The durations of the commits of the spool.
    let commits: HistogramReading
    /// Why a click now would not become durable; `nil` if it would.
    let refusal: UnrecordedReason?

    package init(
        recorded: UInt64, unrecorded: [UnrecordedReason: UInt64], spoolDepth: Int, commits: HistogramReading,
        refusal: UnrecordedReason?
    ) {
        self.recorded = recorded
        self.unrecorded = unrecorded
        self.spoolDepth = spoolDepth
        self.commits = commits
        self.refusal = refusal
    }

    var unrecordedCount: UInt64 { unrecorded.values.reduce(0, +) }
}
