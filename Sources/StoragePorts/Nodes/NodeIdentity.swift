package import Identifiers

/// The node that a data folder belongs to.
package struct NodeIdentity: Sendable {
    /// Random; made with the data folder.
    package let id: FolderID
    /// The slot that the folder was given; `nil` for a folder that no storage knows yet.
    package let slot: NodeSlot?
    /// The operator's name for it.
    package let name: NodeName
    /// The place of the data folder. Another process with the same place has ended, because a folder is locked.
    package let place: String
    /// The version of the service.
    package let version: String
    /// The address at which other nodes reach it; `nil` if they cannot.
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
