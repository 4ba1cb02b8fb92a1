import ConsentLinkClient

/// Consecutive failures to get due events: how long to wait after each.
struct TakeFailures {
    enum Kind: Hashable {
        case noAnswer
        /// A later process of the same relay delivers now.
        case superseded
        /// The service, or a proxy before it, answered with another status that refuses.
        case refused(status: Int)

        fileprivate var pauses: [Duration] {
            switch self {
            case .noAnswer, .refused(status: 429), .refused(status: 500...):
                [.milliseconds(100), .milliseconds(500), .seconds(1), .seconds(2)]
            // Only people can fix it, for example with a new key.
            case .superseded, .refused: [.seconds(5), .seconds(10), .seconds(20), .seconds(40), .seconds(60)]
            }
        }

        init(_ error: any Error) {
            switch (error as? ConsentLinkError)?.problem?.status {
            case 409: self = .superseded
            case let status?: self = .refused(status: status)
            case nil: self = .noAnswer
            }
        }
    }

    private static let maximumRetryAfter = Duration.seconds(60)

    /// The kind of the last failure; `nil` if the service has answered since.
    private(set) var kind: Kind?
    private var count = 0

    /// - Parameter wish: how long to wait at least, from `Retry-After` of a 429. More than a minute counts as a minute.
    /// - Returns: how long to wait, and whether it is the first of its kind.
    mutating func record(_ failure: Kind, wish: Duration? = nil) -> (pause: Duration, isFirst: Bool) {
        let isFirst = kind != failure
        count = isFirst ? 0 : count + 1
        kind = failure
        let pauses = failure.pauses
        let least = failure == .refused(status: 429) ? min(wish ?? .zero, Self.maximumRetryAfter) : .zero
        return (max(pauses[min(count, pauses.count - 1)], least), isFirst)
    }
}
