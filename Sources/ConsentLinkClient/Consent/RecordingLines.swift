extension OrganizationAPI {
    /// Records any number of consents, in constant memory. Scope: consent.
    ///
    /// ```swift
    /// for try await line in acme.record(forEach: consents) {
    ///     if case .refused(let problem) = line { print(problem) }
    /// }
    /// ```
    ///
    /// Each record is answered once, in order. An answered record is durable, and counts from the next click on.
    /// Records that were sent and not answered when a connection broke, a thousand at most, are sent again, and may
    /// then be twice in a history. If they have an ``NewConsent/occurredAt``, the consent in force is the same, also when
    /// it is ahead of the service's clock: both copies of a grant get the time of the first. A
    /// ``ConsentState/given`` must have one here: without it, the second copy would count as later than a withdrawal
    /// that came in between. A refusal without one also ends a consent that was given before its second copy was
    /// stored. To store each record only once, send arrays with ``record(_:idempotencyKey:)``.
    ///
    /// To continue after your own program ended, leave out as many records as lines were answered.
    ///
    /// - Parameters:
    ///   - consents: one for each line. It is iterated once, as the result is.
    ///   - patience: how long to retry while nothing is answered; zero or less does not retry. If the service does
    ///     not answer on the first connection, reading the result fails at once.
    public func record<Consents: Sequence & Sendable>(
        forEach consents: Consents, patience: Duration = .seconds(60)
    ) -> RecordedLines where Consents.Element == NewConsent {
        RecordedLines(answers: answers(patience) { try await LineSource.consents.give(consents, to: $0) })
    }

    /// Records any number of consents, as the sequence gives them.
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
        LineAnswers(
            transport, "\(path)/consents", order: nil, answersBegin: AnsweredLine.consentBeginning, patience: patience,
            feed: feed)
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
