package import Identifiers

/// What this process deleted because of its age. It begins with the process.
package struct RetentionActivity: Hashable, Sendable {
    /// When the last run over all organizations ended; `nil` before the first.
    package var lastEnd: Timestamp?
    /// When the next one begins; `nil` while another node does it.
    package var nextRun: Timestamp?
    /// How many were removed since the start.
    package var interactions = 0
    /// How many have lost whom they were about since the start.
    package var decisions = 0
    /// As ``decisions``.
    package var accesses = 0

    package init() {}
}
