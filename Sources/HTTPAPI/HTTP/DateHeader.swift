import Identifiers
import Redirect
import Synchronization

/// The `Date` header of answers that do not come from the redirect, written once a second.
final class DateHeader: Sendable {
    /// Guards the text; held for one comparison.
    private let date = Mutex(HTTPDate())

    func value(at now: Timestamp) -> String {
        date.withLock { date in
            date.update(to: now)
            return String(decoding: date.bytes, as: UTF8.self)
        }
    }
}
