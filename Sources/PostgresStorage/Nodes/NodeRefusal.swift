import StoragePorts

/// Why a data folder cannot be used as a node.
enum NodeRefusal: StoreFailure, Hashable {
    case removed
    /// The database was put back to a state from before the node joined.
    case unknown
    case nameTaken(NodeName)
    /// The node of this name is running, and the folder would replace it.
    case notSilent(NodeName)
    case noSlotFree
    /// Another process is running that has the same data folder or a copy of it.
    case copied(NodeName)

    var description: String {
        switch self {
        case .removed:
            """
            this node was removed from the database, or a folder that was restored from a backup has taken its place; \
            start it with a new data folder. If the database was put back to a state from before the node joined, move \
            node.json out of its data folder and start it again
            """
        case .unknown:
            """
            the database was put back to a state from before this node joined and does not know it; to let it join \
            again with the clicks in its spool, move node.json out of its data folder and start it again
            """
        case .nameTaken(let name): "another node is called \(name); give this one another node-name"
        case .notSilent(let name):
            """
            another node is called \(name) and was heard of in the last eight seconds: if this folder is restored from \
            its backup, end that node and start this one again; else give this one another node-name
            """
        case .noSlotFree:
            "the database has 128 nodes, the greatest number; remove one with consentlink node remove"
        case .copied(let name):
            """
            a process with a copy of this data folder runs as node \(name): end it, if this is the folder that should run; \
            else give this one a data folder of its own
            """
        }
    }

    var isTransient: Bool { true }
}
