package import Identifiers

/// The questions of a starting service to its storage, before it serves requests. All calls may be concurrent.
package protocol StorageInspection: Sendable {
    /// Whether this is not the storage that was opened last, but a copy of it, or one that was restored from a backup:
    /// records since the copy are missing. Only the first opening of a copy returns true.
    var isCopy: Bool { get }

    /// The latest stored time; the distant past if there is none. The service's clock must not show an earlier time.
    func latestTime() async throws -> Timestamp

    /// The greatest id of a stored interaction, made by any node; `nil` if there is none. A spool must give greater ids
    /// to its occurrences.
    func lastInteraction() async throws -> InteractionID?

    /// The ids of all organizations, including those whose settings cannot be read.
    func organizationNames() async throws -> Set<String>
}
