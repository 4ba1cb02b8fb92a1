/// Sends lines and hands on the line that answers each, over as many connections as it takes. What a connection left
/// unanswered is sent on the next.
package struct LineExchange: Sendable {
    /// Is given whole lines, in order and each once. They are answered for good when it returns.
    package typealias Delivery = @Sendable (LineBatch) async throws -> Void

    let transport: Transport
    let path: String
    /// The first line, with its line feed; empty where every line is answered.
    let order: [UInt8]
    package let window: LineWindow
    package let record: ExchangeRecord
    /// How long to go on trying while nothing is answered.
    let patience: Duration
    /// How long to wait for an answer that is due.
    let silence: Duration

    /// - Parameter silence: `nil` is as long as `patience`.
    package init(
        transport: Transport, path: String, order: [UInt8], window: LineWindow = LineWindow(),
        record: ExchangeRecord = ExchangeRecord(), patience: Duration, silence: Duration? = nil
    ) {
        self.transport = transport
        self.path = path
        self.order = order
        self.window = window
        self.record = record
        self.patience = patience
        self.silence = silence ?? patience
    }

    /// Returns when the service has taken the order and every line that the window is given is answered. So an exchange
    /// without lines fails, too, where there is no service. However it ends, it closes the window: an exchange is run
    /// once.
    ///
    /// - Throws: ``ConsentLinkError``, `CancellationError`, or what `deliver` throws.
    package func run(_ deliver: @escaping Delivery) async throws {
        defer { window.close() }
        var pauses = Pauses()
        while true {
            let answeredBefore = window.answeredCount
            record.begin()
            let connection = LineConnection(exchange: self, deliver: deliver)
            let end = await connection.run()
            guard case .broken(let error, let isTemporary) = end, record.order == nil || !window.isDone else {
                return try end.finish()
            }
            // What never answered is more likely not there than away for a moment.
            guard record.order != nil || isTemporary else { throw error }
            if window.answeredCount > answeredBefore { pauses = Pauses(atOnce: true) }
            pauses.leaveOut(connection.idleTime)
            guard let pause = pauses.next(within: patience, least: error.problem?.retryAfter ?? .zero) else {
                throw error
            }
            try await transport.pause(pause)
        }
    }
}
