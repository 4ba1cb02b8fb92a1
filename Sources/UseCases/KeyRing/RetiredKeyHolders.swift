/// The nodes that may still open links with a key that was retired, until they read the ring.
package enum RetiredKeyHolders: Hashable, Sendable {
    /// Every running node has removed the key.
    case none
    /// The names of the nodes that have not.
    case named([String])
    /// The nodes could not be asked.
    case unknown

    init(_ names: [String]) { self = names.isEmpty ? .none : .named(names) }

    /// For the log: the names with commas between them, `?` if they are unknown; `nil` if there are none.
    package var detail: String? {
        switch self {
        case .none: nil
        case .named(let names): names.joined(separator: ",")
        case .unknown: "?"
        }
    }
}
