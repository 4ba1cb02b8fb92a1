extension VisitorClass {
    /// The class that says most about an open first.
    package static let byEvidence: [VisitorClass] = [.person, .cannotTell, .machine]

    /// Whether a recipient with opens of both classes counts under this one.
    func saysMore(than other: VisitorClass) -> Bool { rank < other.rank }

    private var rank: Int {
        switch self {
        case .person: 0
        case .cannotTell: 1
        case .machine: 2
        }
    }
}
