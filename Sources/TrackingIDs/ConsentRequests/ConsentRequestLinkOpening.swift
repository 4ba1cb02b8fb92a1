/// The result of opening a consent request link.
package enum ConsentRequestLinkOpening: Equatable, Sendable {
    /// Genuine. It does not say whether the link has expired.
    case opened(ConsentRequestLink)
    case refused(TrackingIDRefusal)

    package var link: ConsentRequestLink? {
        switch self {
        case .opened(let link): link
        case .refused: nil
        }
    }
}
