/// Background work that one node at a time does for all nodes of a storage.
package enum Job: String, CaseIterable, Hashable, Sendable {
    /// Forgets data that organizations no longer keep.
    case retention
}
