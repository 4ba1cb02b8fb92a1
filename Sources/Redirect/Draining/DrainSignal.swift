/// Tells the drain that there is something in the spool. Signals that nobody waits for add up to one.
package final class DrainSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func raise() { continuation.yield() }

    /// Returns when there was a signal since the last wait, or when the task is cancelled.
    func wait() async {
        var iterator = stream.makeAsyncIterator()
        _ = await iterator.next()
    }
}
