package import Identifiers

/// Keeps the faults of the clock as long as records do whose times they explain. All calls may be concurrent.
package protocol ClockHistoryStore: Sendable {
    func clockHistory() async throws -> ClockHistory

    /// Joins a change with what other processes stored. Durable on return.
    /// - Returns: the faults that are stored then.
    func store(_ change: ClockHistory.Change) async throws -> ClockFaults
}
