import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

extension Transport {
    /// The time by the service's clock, in whole seconds; `nil` if no answer tells it within `patience`.
    package func serviceDate(within patience: Duration) async -> Date? {
        let request = head(.GET, "/readyz")
        // An answer with any status has the header.
        guard let response = try? await http.execute(request, timeout: .nanoseconds(patience.wholeNanoseconds)),
            let text = response.headers.first(name: "Date")
        else { return nil }
        _ = try? await response.body.collect(upTo: 1 << 16)
        return RetryAfter.moment(text)
    }
}
