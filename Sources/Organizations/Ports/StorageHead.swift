/// Tells cheaply whether anything was written. May be called at once from anywhere.
package protocol StorageHead: Sendable {
    /// A number that changes with each commit of any process, before that commit is acknowledged. Nothing else can be
    /// told from it.
    func head() async throws -> UInt64
}
