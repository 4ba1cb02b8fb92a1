/// Why a use case does not do what it was asked to. A refused request changes nothing.
///
/// The descriptions of what a client sees stand where the refusal becomes an answer, not here.
package enum RequestRefusal: Error, Equatable {
    /// The organization, message, decision or key that the request names does not exist, or is of another organization.
    case notFound
    /// The key that the caller was admitted with has been deleted since.
    case keyDeleted
    /// A request with the same `Idempotency-Key` is being worked on.
    case stillRunning
    /// The `Idempotency-Key` was used before, for a request with another body.
    case idempotencyKeyReused
    /// As many requests wait for more of a feed as may.
    case tooManyWait
    /// The organization has used up its requests per minute. The next one is admitted after so many seconds, at least 1.
    case overQuota(requestsPerMinute: Int, retryAfterSeconds: Int)
}
