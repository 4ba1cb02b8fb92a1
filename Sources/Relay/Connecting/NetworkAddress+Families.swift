import Webhooks

extension [NetworkAddress] {
    /// The same addresses with the families in turn, as RFC 8305, 4 asks: the first of the list, the first of the other
    /// family, the second of its own, and so on. If one family leads nowhere, the second address is of the other one.
    var familiesInTurn: [NetworkAddress] {
        guard let first else { return [] }
        let ofFirst = filter { $0.isVersion4 == first.isVersion4 }
        let others = filter { $0.isVersion4 != first.isVersion4 }
        return (0..<Swift.max(ofFirst.count, others.count)).flatMap { index in
            [ofFirst, others].compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}

extension NetworkAddress {
    fileprivate var isVersion4: Bool {
        switch self {
        case .v4: true
        case .v6: false
        }
    }
}
