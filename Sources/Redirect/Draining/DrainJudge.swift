package import Consent
package import Identifiers
package import Interactions
import Messages
package import Organizations

/// Reads what is needed to decide about occurrences, and prepares those that are kept for the store. ``DrainPlan``
/// decides.
package struct DrainJudge: Sendable {
    let directory: LinkDirectory
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let interactions: any InteractionStore
    let times: OccurrenceTimes
    let now: @Sendable () -> Timestamp
    let trustedTime: @Sendable () -> Timestamp?

    /// - Parameters:
    ///   - times: how far the times of occurrences can be relied on. One that may have come after its tracking ended is
    ///     not recorded.
    ///   - now: the service time.
    ///   - trustedTime: the earliest possible real time; `nil` while the clock is not trusted for deleting. Then
    ///     nothing is dropped because of its age.
    package init(
        directory: LinkDirectory, organizations: any OrganizationDirectory, consent: any ConsentLookup,
        interactions: any InteractionStore, times: OccurrenceTimes = OccurrenceTimes(),
        now: @escaping @Sendable () -> Timestamp, trustedTime: @escaping @Sendable () -> Timestamp? = { nil }
    ) {
        self.directory = directory
        self.organizations = organizations
        self.consent = consent
        self.interactions = interactions
        self.times = times
        self.now = now
        self.trustedTime = trustedTime
    }

    /// The result for some occurrences.
    struct Judgement: Sendable {
        /// The occurrences to store.
        let kept: PreparedOccurrences
        /// The occurrences of organizations whose ledger is closed, and of messages that cannot be read.
        let undecided: [SpooledOccurrence]
        let droppedCount: Int
        /// How many are older than their organization keeps interactions.
        let pastRetentionCount: Int
        /// How many of those that are dropped are about a message that the store does not have.
        let messagelessCount: Int
        /// What devices reported of what is dropped.
        let droppedReports: [Occurrence]
        /// How many messages they were about.
        let messageCount: Int
    }

    func judge(_ occurrences: [SpooledOccurrence]) async throws -> Judgement {
        let earliest = occurrences.lazy.map(\.occurrence.occurredAt).min() ?? .distantFuture
        let gaps = times.gaps().filter { $0.end >= earliest }
        // Read first: occurrences that are affected by a later record are judged again when they are stored.
        let newest = try await consent.newestRecord()
        let now = now()
        let spans = spans(of: occurrences, in: gaps, now: now)
        let ids = Set(occurrences.map(\.occurrence.message))
        let (messages, unreadable) = try await messages(ids)
        let plan = try await plan(occurrences, spans, messages, unreadable)
        var kept = plan.kept
        // No time of the future is stored: the node's clock was ahead.
        for index in kept.indices where kept[index].occurrence.occurredAt > now {
            kept[index] = kept[index].untimed(storedAt: now)
        }
        return Judgement(
            kept: kept.isEmpty
                ? PreparedOccurrences([], judgedAsOf: newest)
                : try await interactions.prepare(kept, judgedAsOf: newest),
            // They may be judged by another process, which does not know of the gaps, and when the time has come.
            undecided: plan.undecided.map { $0.untimed(in: gaps, orAfter: now) }, droppedCount: plan.droppedCount,
            pastRetentionCount: plan.pastRetentionCount,
            messagelessCount: occurrences.count { spooled in
                let message = spooled.occurrence.message
                return messages[message] == nil && !unreadable.contains(message)
            },
            droppedReports: plan.droppedReports, messageCount: ids.count)
    }

    /// When each may have come; `nil` if none has a span, as nearly always.
    private func spans(
        of occurrences: [SpooledOccurrence], in gaps: [ClockGap], now: Timestamp
    ) -> [ClosedRange<Timestamp>?]? {
        guard !gaps.isEmpty || occurrences.contains(where: { $0.isUnjudged || $0.occurrence.occurredAt > now }) else {
            return nil
        }
        return occurrences.map { times.span(of: $0, in: gaps, now: now) }
    }

    private func plan(
        _ occurrences: [SpooledOccurrence], _ spans: [ClosedRange<Timestamp>?]?,
        _ messages: [MessageID: LinkedMessage], _ unreadable: Set<MessageID>
    ) async throws -> DrainPlan {
        let questions = occurrences.enumerated().map { index, spooled in
            let message = messages[spooled.occurrence.message]
            let purpose = message?.purposes[spooled.occurrence.kind.activity] ?? .tracking
            return Self.question(spooled.occurrence, spans?[index], purpose, in: message?.organization)
        }
        var statuses = try await consent.statuses(of: questions)
        try await heed(opensApart: occurrences, spans, messages, &statuses)
        let oldest = occurrences.lazy.compactMap { TimeOrderedNumber(rawValue: $0.id.rawValue)?.timestamp }.min()
        let rules = try await rules(of: messages, oldest: oldest ?? .distantFuture)
        // A read just now may have found that a ledger is damaged, and closed it. Its records then decide nothing.
        let closed = messages.values.filter(\.rules.isClosed).map(\.id)
        return DrainPlan(
            occurrences, rules: rules, undecidable: unreadable.union(closed), statuses: statuses, spans: spans)
    }

    /// About the end of the span or, without one, about the time of the occurrence.
    private static func question(
        _ occurrence: Occurrence, _ span: ClosedRange<Timestamp>?, _ purpose: Purpose, in organization: OrganizationID?
    ) -> ReferenceQuestion {
        ReferenceQuestion(
            reference: occurrence.recipient, purpose: purpose, instant: span?.upperBound ?? occurrence.occurredAt,
            organization: organization)
    }

    /// A no to a further purpose about opens replaces a yes to the message's own purpose. So does an answer within the
    /// span, because there may have been a no before it.
    private func heed(
        opensApart occurrences: [SpooledOccurrence], _ spans: [ClosedRange<Timestamp>?]?,
        _ messages: [MessageID: LinkedMessage], _ statuses: inout [ConsentStatus]
    ) async throws {
        let asked = occurrences.indices.compactMap { index -> (index: Int, question: ReferenceQuestion)? in
            let occurrence = occurrences[index].occurrence
            guard occurrence.kind.activity == .opens, let message = messages[occurrence.message],
                let purpose = message.purposes.opensApart
            else { return nil }
            return (index, Self.question(occurrence, spans?[index], purpose, in: message.organization))
        }
        guard !asked.isEmpty else { return }
        let answers = try await consent.statuses(of: asked.map(\.question))
        for ((index, _), answer) in zip(asked, answers) {
            if answer.endsTracking || answer.isWithin(spans?[index]) { statuses[index] = answer }
        }
    }

    /// The messages that exist, and those of them that cannot be read.
    private func messages(
        _ ids: Set<MessageID>
    ) async throws -> (found: [MessageID: LinkedMessage], unreadable: Set<MessageID>) {
        var found: [MessageID: LinkedMessage] = [:]
        var unreadable: Set<MessageID> = []
        for id in ids {
            do {
                found[id] = try await directory.find(id)
            } catch is UnreadableMessage {
                unreadable.insert(id)
            }
        }
        return (found, unreadable)
    }

    /// - Parameter oldest: when the oldest of the occurrences was spooled.
    private func rules(
        of messages: [MessageID: LinkedMessage], oldest: Timestamp
    ) async throws -> [MessageID: DrainPlan.Rules] {
        var rules: [MessageID: DrainPlan.Rules] = [:]
        var histories: [OrganizationID: EnforcementHistory?] = [:]
        var keptFrom: [OrganizationID: Timestamp?] = [:]
        for (id, message) in messages where !message.rules.isClosed && !message.isUntracked {
            if histories[message.organization] == nil {
                histories[message.organization] = .some(
                    try await organizations.enforcementHistory(of: message.organization))
                keptFrom[message.organization] = .some(try await self.keptFrom(in: message.organization, oldest))
            }
            guard let enforcement = histories[message.organization] ?? nil else { continue }
            rules[id] = DrainPlan.Rules(
                purposes: message.purposes, enforcement: enforcement, isDisabled: message.isDisabled,
                keptFrom: keptFrom[message.organization] ?? nil)
        }
        return rules
    }

    /// The time before which an organization's interactions are not kept; `nil` if none of the occurrences is that old.
    private func keptFrom(in organization: OrganizationID, _ oldest: Timestamp) async throws -> Timestamp? {
        // Every organization keeps interactions for that long. So while the spool is drained within seconds, none is
        // asked for its retention.
        guard let now = trustedTime(), oldest < now.advanced(byDays: -Retention.allowedDays.lowerBound) else {
            return nil
        }
        return try await organizations.organization(organization)?.retention.interactionsKept(at: now)
    }
}

extension ConsentStatus {
    /// Whether the record in force came within the span, after its beginning.
    fileprivate func isWithin(_ span: ClosedRange<Timestamp>?) -> Bool {
        guard let span, case .inForce(let consent) = self else { return false }
        return consent.occurredAt > span.lowerBound
    }
}

extension SpooledOccurrence {
    /// The same, as one whose time is not known if it has a time of a gap or after `now`.
    fileprivate func untimed(in gaps: [ClockGap], orAfter now: Timestamp) -> SpooledOccurrence {
        let time = occurrence.occurredAt
        guard time > now || gaps.contains(where: { $0.contains(time) }) else { return self }
        return SpooledOccurrence(id: id, occurrence: occurrence, certainty: .untimed)
    }

    /// The same with the time of the storing, as one whose time is not known: it may be judged again before that.
    fileprivate func untimed(storedAt instant: Timestamp) -> SpooledOccurrence {
        let occurrence = Occurrence(
            kind: occurrence.kind, source: occurrence.source, occurredAt: instant, message: occurrence.message,
            recipient: occurrence.recipient, link: occurrence.link, visitor: occurrence.visitor,
            action: occurrence.action)
        return SpooledOccurrence(id: id, occurrence: occurrence, certainty: .untimed)
    }
}

extension DroppedCounts {
    init(_ judgement: DrainJudge.Judgement) {
        self.init(notPermitted: judgement.droppedCount, pastRetention: judgement.pastRetentionCount)
    }
}
