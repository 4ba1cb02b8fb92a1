/// What came of opening a consent request link.
package enum ConsentRequestLinkOpening: Equatable, Sendable {
    /// Genuine. Whether its time has passed is not looked at.
    case opened(ConsentRequestLink)
    case refused(TrackingIDRefusal)

    package var link: ConsentRequestLink? {
        switch self {
        case .opened(let link): link
        case .refused: nil
        }
    }
}
