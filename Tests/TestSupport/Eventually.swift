/// Looks every two milliseconds whether something has come about, so that a test which waits in vain fails and does not
/// stop the tests behind it.
///
/// - Parameter limit: does no harm on a slow machine: it ends what would never end.
/// - Returns: whether it did within `limit`. `false` also when the task is cancelled before.
package func eventually(
    within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
