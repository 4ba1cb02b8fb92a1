import ConsentLinkClient
import Foundation
import Identifiers

/// The clock by which the age of a batch is judged: the service's, continued by the monotonic clock, or this machine's
/// while the service has not told its own.
struct ImportClock {
    private let told: (time: Timestamp, at: ContinuousClock.Instant)?
    private let isLast: Bool

    /// - Parameters:
    ///   - time: by the service's clock.
    ///   - isLast: whether the service need not be asked again.
    init(told time: Timestamp?, isLast: Bool = false) {
        told = time.map { ($0, ContinuousClock.now) }
        self.isLast = isLast
    }

    /// Whether it is the service's, or the service does not tell it.
    var isService: Bool { told != nil || isLast }

    var now: Timestamp {
        guard let told else { return Self.time(of: Date()) }
        return told.time.advanced(by: ContinuousClock.now - told.at)
    }

    static func time(of date: Date) -> Timestamp {
        Timestamp(millisecondsSince1970: Int64(date.timeIntervalSince1970 * 1000))
    }
}

extension APIClient {
    /// The time by the service's clock; `nil` if it does not tell it within seconds.
    func serviceTime() async -> Timestamp? {
        await api.transport.serviceDate(within: .seconds(5)).map { ImportClock.time(of: $0) }
    }
}
