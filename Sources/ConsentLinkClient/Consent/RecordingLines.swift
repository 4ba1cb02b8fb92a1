extension OrganizationAPI {
    /// Records any number of consents, in constant memory. Scope: consent.
    ///
    /// ```swift
    /// for try await line in acme.record(forEach: consents) {
    ///     if case .refused(let problem) = line { print(problem) }
    /// }
    /// ```
    ///
    /// Each record is answered once, in order; an answered one is durable and counts for the very next click. Records
    /// that were under way when a connection broke are sent again, up to a thousand each time, and may then stand twice
    /// in a history. That changes nothing that is in force where they have an ``NewConsent/occurredAt``, by which they
    /// count. A ``ConsentState/given`` must have one here: without it the second would count as said later than a
    /// withdrawal that came in between. A no without one also ends what was given before it was stored the second time.
    /// For records that must not be stored twice, send arrays with ``record(_:idempotencyKey:)``.
    ///
    /// To go on after your own program ended, leave out as many records as lines were answered.
    ///
    /// - Parameters:
    ///   - consents: one for each line. It is iterated once for each iterator of the result.
    ///   - patience: how long to go on trying while nothing is answered. A service that has not answered on the first
    ///     connection is not waited for.
    public func record<Consents: Sequence & Sendable>(
        forEach consents: Consents, patience: Duration = .seconds(60)
    ) -> RecordedLines where Consents.Element == NewConsent {
        RecordedLines(answers: answers(patience) { try await LineSource.consents.give(consents, to: $0) })
    }

    /// Records any number of consents, as they come.
    ///
    /// ```swift
    /// for try await line in acme.record(forEach: migration.consents()) { … }
    /// ```
    public func record<Consents: AsyncSequence & Sendable>(
        forEach consents: Consents, patience: Duration = .seconds(60)
    ) -> RecordedLines where Consents.Element == NewConsent {
        RecordedLines(answers: answers(patience) { try await LineSource.consents.give(consents, to: $0) })
    }

    private func answers(
        _ patience: Duration, feed: @escaping @Sendable (LineWindow) async throws -> Void
    ) -> LineAnswers {
        LineAnswers(transport, "\(path)/consents", order: nil, patience: patience, feed: feed)
    }
}

extension LineSource where Element == NewConsent {
    static var consents: LineSource {
        LineSource { consent, line in
            guard consent.state != .given || consent.occurredAt != nil else {
                throw ConsentLinkError.invalidArgument("a record of a stream that gives consent needs occurredAt")
            }
            line.append(contentsOf: try WireCoding.encode(consent))
        }
    }
}
