/// Sends lines and delivers the line that answers each, over as many connections as necessary. Lines without an answer
/// are sent again on the next connection.
package struct LineExchange: Sendable {
    /// Gets whole lines, in order and each once. They count as answered when it returns.
    package typealias Delivery = @Sendable (LineBatch) async throws -> Void

    let transport: Transport
    let path: String
    /// The first line, with its line feed; empty if there is none.
    let order: [UInt8]
    /// How an answer begins that is no refusal. A server that is not the service answers something else.
    let beginning: [UInt8]
    package let window: LineWindow
    package let record: ExchangeRecord
    /// How long to retry while nothing is answered.
    let patience: Duration
    /// How long to wait for an answer that is due.
    let silence: Duration

    /// - Parameters:
    ///   - patience: zero or less does not retry.
    ///   - silence: `nil` is as long as `patience`, or a minute if that is not positive.
    package init(
        transport: Transport, path: String, order: [UInt8],
        answersBegin beginning: [UInt8] = AnsweredLine.payloadBeginning, window: LineWindow = LineWindow(),
        record: ExchangeRecord = ExchangeRecord(), patience: Duration, silence: Duration? = nil
    ) {
        self.transport = transport
        self.path = path
        self.order = order
        self.beginning = beginning
        self.window = window
        self.record = record
        self.patience = patience
        self.silence = silence ?? (patience > .zero ? patience : .seconds(60))
    }

    /// Returns when the service has accepted the order and every line of the window is answered. So an exchange without
    /// lines also fails if the service cannot be reached. It closes the window in any case, so an exchange can be run
    /// only once.
    ///
    /// - Throws: ``ConsentLinkError``, whose ``ConsentLinkError/mayHaveBeenDone`` covers the lines of all connections
    ///   that are not answered; `CancellationError`, or what `deliver` throws.
    package func run(_ deliver: @escaping Delivery) async throws {
        defer { window.close() }
        var (pauses, doubtful) = (Pauses(), 0)
        while true {
            let answeredBefore = window.answeredCount
            record.begin()
            let connection = LineConnection(exchange: self, deliver: deliver)
            let end = await connection.run()
            if connection.leavesDoubt(end) { doubtful = max(doubtful, window.sentCount) }
            // A line of an earlier connection may have been carried out, independent of the result of this connection.
            let isInDoubt = doubtful > window.answeredCount
            guard case .broken(let error, let isTemporary) = end, record.order == nil || !window.isDone else {
                return try end.finish(isInDoubt: isInDoubt)
            }
            let failure = isInDoubt ? error.withDoubt : error
            // A service that has never answered probably does not exist; it is probably not only away for a moment.
            guard record.order != nil || isTemporary else { throw failure }
            if window.answeredCount > answeredBefore { pauses = Pauses(atOnce: true) }
            pauses.leaveOut(connection.idleTime)
            guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                throw failure
            }
            try await transport.pause(pause)
        }
    }
}
