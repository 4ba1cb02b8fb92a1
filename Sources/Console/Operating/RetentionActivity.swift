package import Identifiers

/// What retention deleted in this process. It begins with the process.
package struct RetentionActivity: Hashable, Sendable {
    /// When the last run over all organizations ended; `nil` before the first.
    package var lastEnd: Timestamp?
    /// When the next run begins; `nil` while another node does the job.
    package var nextRun: Timestamp?
    /// How many were deleted since the start.
    package var interactions = 0
    /// How many decisions no longer name their recipient since the start.
    package var decisions = 0
    /// How many accesses no longer name their recipient since the start.
    package var accesses = 0

    package init() {}
}
