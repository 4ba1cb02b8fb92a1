import Consent
import Identifiers
import Interactions
import Messages
import Organizations

/// Reads what is needed to decide about occurrences, and prepares those that are kept for the store. ``DrainPlan``
/// decides.
struct DrainJudge: Sendable {
    let directory: LinkDirectory
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let interactions: any InteractionStore
    let times: OccurrenceTimes
    let now: @Sendable () -> Timestamp

    /// The result for some occurrences.
    struct Judgement: Sendable {
        /// The occurrences to store.
        let kept: PreparedOccurrences
        /// The occurrences of organizations whose ledger is closed, and of messages that cannot be read.
        let undecided: [SpooledOccurrence]
        let droppedCount: Int
        /// How many messages they were about.
        let messageCount: Int
    }

    func judge(_ spooled: [SpooledOccurrence]) async throws -> Judgement {
        let gaps = times.gaps()
        // A node whose clocks stood still took itself for fresh.
        let occurrences = gaps.isEmpty ? spooled : spooled.map { $0.doubted(as: .unjudged, in: gaps) }
        // Read first: occurrences that are affected by a later record are judged again when they are stored.
        let newest = try await consent.newestRecord()
        let ids = Set(occurrences.map(\.occurrence.message))
        let (messages, unreadable) = try await messages(ids)
        let instants = occurrences.map { instant(of: $0, gaps) }
        var plan = try await plan(occurrences, asOf: instants, messages, unreadable)
        let untimed = plan.kept.filter { $0.certainty == .untimed }
        if !untimed.isEmpty {
            // Their times may be wrong: what is not permitted now may not have been permitted when they occurred.
            let present = [Timestamp](repeating: now(), count: untimed.count)
            plan.narrow(untimed: try await self.plan(untimed, asOf: present, messages, unreadable))
        }
        return Judgement(
            kept: plan.kept.isEmpty
                ? PreparedOccurrences([], judgedAsOf: newest)
                : try await interactions.prepare(plan.kept, judgedAsOf: newest),
            // They may be judged by another process, which does not know of the gaps.
            undecided: plan.undecided.map { $0.doubted(as: .untimed, in: gaps) }, droppedCount: plan.droppedCount,
            messageCount: ids.count)
    }

    /// The latest time at which it may have occurred.
    private func instant(of spooled: SpooledOccurrence, _ gaps: [ClockGap]) -> Timestamp {
        let time = spooled.occurrence.occurredAt
        guard spooled.isUnjudged else { return time }
        return time.advanced(by: times.uncertainty + (gaps.size(at: time) ?? .zero))
    }

    private func plan(
        _ occurrences: [SpooledOccurrence], asOf instants: [Timestamp], _ messages: [MessageID: LinkedMessage],
        _ unreadable: Set<MessageID>
    ) async throws -> DrainPlan {
        let questions = zip(occurrences, instants).map { spooled, instant in
            let message = messages[spooled.occurrence.message]
            return ReferenceQuestion(
                reference: spooled.occurrence.recipient,
                purpose: message?.purposes[spooled.occurrence.kind.activity] ?? .tracking,
                instant: instant, organization: message?.organization)
        }
        var statuses = try await consent.statuses(of: questions)
        try await heed(opensApart: occurrences, asOf: instants, messages, &statuses)
        let rules = try await rules(of: messages)
        // A read just now may have found that a ledger is damaged, and closed it. Its records then decide nothing.
        let closed = messages.values.filter(\.rules.isClosed).map(\.id)
        return DrainPlan(
            occurrences, rules: rules, undecidable: unreadable.union(closed), statuses: statuses, instants: instants)
    }

    /// A no to a further purpose about opens takes the place of a yes to the message's own.
    private func heed(
        opensApart occurrences: [SpooledOccurrence], asOf instants: [Timestamp],
        _ messages: [MessageID: LinkedMessage], _ statuses: inout [ConsentStatus]
    ) async throws {
        let asked = occurrences.indices.compactMap { index -> (index: Int, question: ReferenceQuestion)? in
            let occurrence = occurrences[index].occurrence
            guard occurrence.kind.activity == .opens, let message = messages[occurrence.message],
                let purpose = message.purposes.opensApart
            else { return nil }
            let question = ReferenceQuestion(
                reference: occurrence.recipient, purpose: purpose, instant: instants[index],
                organization: message.organization)
            return (index, question)
        }
        guard !asked.isEmpty else { return }
        let answers = try await consent.statuses(of: asked.map(\.question))
        for ((index, _), answer) in zip(asked, answers) where answer.endsTracking { statuses[index] = answer }
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

    private func rules(of messages: [MessageID: LinkedMessage]) async throws -> [MessageID: DrainPlan.Rules] {
        var rules: [MessageID: DrainPlan.Rules] = [:]
        var histories: [OrganizationID: EnforcementHistory?] = [:]
        for (id, message) in messages where !message.rules.isClosed && !message.isUntracked {
            if histories[message.organization] == nil {
                histories[message.organization] = .some(
                    try await organizations.enforcementHistory(of: message.organization))
            }
            guard let enforcement = histories[message.organization] ?? nil else { continue }
            rules[id] = DrainPlan.Rules(
                purposes: message.purposes, enforcement: enforcement, isDisabled: message.isDisabled)
        }
        return rules
    }
}

extension SpooledOccurrence {
    /// The occurrence with no more than this certainty if its time is in one of the gaps.
    fileprivate func doubted(as certainty: Certainty, in gaps: [ClockGap]) -> SpooledOccurrence {
        guard self.certainty.rawValue < certainty.rawValue, gaps.size(at: occurrence.occurredAt) != nil else {
            return self
        }
        return SpooledOccurrence(id: id, occurrence: occurrence, certainty: certainty)
    }
}
