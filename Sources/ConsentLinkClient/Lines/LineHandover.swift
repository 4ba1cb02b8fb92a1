import Synchronization

/// Hands batches of lines from the task that receives them to the task that reads them, one at a time.
///
/// ``send(_:)`` returns when the reader asks for the next batch: by then it has read this one.
final class LineHandover: Sendable {
    private typealias Sender = CheckedContinuation<Void, any Error>
    private typealias Reader = CheckedContinuation<LineBatch?, any Error>

    private struct State {
        /// The batch that is not taken yet.
        var offered: LineBatch?
        /// The sender that waits until its batch is read.
        var sender: Sender?
        var reader: Reader?
        var ending: Result<LineBatch?, any Error>?
    }

    /// Guards the batch and the waiting tasks. A continuation is taken out before it is resumed, outside the lock, so
    /// each is resumed once.
    private let state = Mutex(State())

    /// - Throws: `CancellationError` when either side is cancelled.
    func send(_ batch: LineBatch) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (sender: Sender) in
                let (reader, isRefused) = state.withLock { state -> (Reader?, Bool) in
                    guard state.ending == nil, !Task.isCancelled else { return (nil, true) }
                    state.sender = sender
                    guard let reader = state.reader.take() else {
                        state.offered = batch
                        return (nil, false)
                    }
                    return (reader, false)
                }
                reader?.resume(returning: batch)
                if isRefused { sender.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sender = state.withLock { state in
                state.offered = nil
                return state.sender.take()
            }
            sender?.resume(throwing: CancellationError())
        }
    }

    /// Ends the sequence after what was sent, with or without an error. The first end counts.
    func finish(_ error: (any Error)? = nil) {
        let (reader, ending) = state.withLock { state in
            let ending = state.ending ?? error.map { .failure($0) } ?? .success(nil)
            state.ending = ending
            return (state.reader.take(), ending)
        }
        reader?.resume(with: ending)
    }

    /// The next batch; `nil` after the last. Only one task may wait for it at a time.
    ///
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` while another task waits.
    func next() async throws -> LineBatch? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (reader: Reader) in
                let (sender, result) = state.withLock { state -> (Sender?, Result<LineBatch?, any Error>?) in
                    if Task.isCancelled { return (nil, .failure(CancellationError())) }
                    guard state.reader == nil else {
                        return (nil, .failure(ConsentLinkError.invalidArgument("another task reads this stream")))
                    }
                    if let batch = state.offered.take() { return (nil, .success(batch)) }
                    // The sender of the previous batch has waited until now.
                    let sender = state.sender.take()
                    if let ending = state.ending { return (sender, ending) }
                    state.reader = reader
                    return (sender, nil)
                }
                sender?.resume()
                if let result { reader.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(throwing: CancellationError())
        }
    }
}
