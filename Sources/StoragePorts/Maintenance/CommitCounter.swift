/// Tells at a low cost whether anything was written. All calls may be concurrent.
package protocol CommitCounter: Sendable {
    /// A number that changes with each commit of any process, before that commit is acknowledged. It has no other
    /// meaning.
    func value() async throws -> UInt64
}
