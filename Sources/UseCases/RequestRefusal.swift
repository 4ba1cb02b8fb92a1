/// Why a use case refuses a request. A refused request changes nothing.
///
/// The texts that a client sees are where the refusal becomes an answer, not here.
package enum RequestRefusal: Error, Equatable {
    /// The organization, message, decision or key that the request names does not exist or belongs to another
    /// organization.
    case notFound
    /// The key of the request was deleted while the request was running.
    case keyDeleted
    /// Another request with the same `Idempotency-Key` is still running.
    case stillRunning
    /// The `Idempotency-Key` was used before, for a request with another body.
    case idempotencyKeyReused
    /// The greatest number of requests already wait for more of a feed.
    case tooManyWait
    /// The organization has used up its requests per minute. The next one is admitted after so many seconds, at least
    /// 1.
    case overQuota(requestsPerMinute: Int, retryAfterSeconds: Int)
}
