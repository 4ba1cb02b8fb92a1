package import Identifiers

/// What a service asks of a storage when it starts, before it serves anything. May be called at once from anywhere.
package protocol StorageInspection: Sendable {
    /// Whether this is not the storage that was opened last, but a copy of it, or one that was put back from a backup:
    /// what was recorded after the copy was made is missing. Only the first opening of a copy says so.
    var isCopy: Bool { get }

    /// The latest time that anything stored carries; the distant past when nothing does. The service's clock must not
    /// show an earlier one.
    func latestTime() async throws -> Timestamp

    /// The greatest id of a stored interaction, whichever node made it; `nil` when there is none. No spool may give an
    /// occurrence an id that is not greater.
    func lastInteraction() async throws -> InteractionID?

    /// The ids of all organizations, those whose settings cannot be read included.
    func organizationNames() async throws -> Set<String>
}
