/// Tells at a low cost whether anything was written. All calls may be concurrent.
package protocol StorageHead: Sendable {
    /// A number that changes with each commit of any process, before that commit is acknowledged. It has no other
    /// meaning.
    func head() async throws -> UInt64
}
