package import Identifiers

/// Which node a data folder belongs to.
package struct NodeIdentity: Sendable {
    /// Random; made with the data folder.
    package let id: FolderID
    /// As it was given to the folder; `nil` for a folder that no storage knows yet.
    package let slot: NodeSlot?
    /// What the operator calls it.
    package let name: NodeName
    /// Where the data folder is: another process that says the same has ended, since a folder is locked.
    package let place: String
    /// Of the service.
    package let version: String
    /// Where other nodes reach it; `nil` where they cannot.
    package let peerAddress: String?

    package init(
        id: FolderID, slot: NodeSlot?, name: NodeName, place: String, version: String, peerAddress: String? = nil
    ) {
        self.id = id
        self.slot = slot
        self.name = name
        self.place = place
        self.version = version
        self.peerAddress = peerAddress
    }
}
