/// Background work that one node at a time does for all nodes of a storage.
package enum Job: String, CaseIterable, Hashable, Sendable {
    /// Forgets what organizations keep no longer.
    case retention
}
