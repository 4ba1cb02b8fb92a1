extension VisitorClass {
    /// All classes, the one with the best evidence about an open first.
    package static let byEvidence: [VisitorClass] = [.person, .cannotTell, .machine]

    /// Whether this class has better evidence: a recipient with opens of both classes counts under the better one.
    func saysMore(than other: VisitorClass) -> Bool { rank < other.rank }

    private var rank: Int {
        switch self {
        case .person: 0
        case .cannotTell: 1
        case .machine: 2
        }
    }
}
