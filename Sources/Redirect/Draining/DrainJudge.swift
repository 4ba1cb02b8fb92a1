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
    /// How far the time of an unjudged click may differ from that of a consent record.
    let uncertainty: Duration
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

    func judge(_ occurrences: [SpooledOccurrence]) async throws -> Judgement {
        // Read first: occurrences that are affected by a later record are judged again when they are stored.
        let newest = try await consent.newestRecord()
        let ids = Set(occurrences.map(\.occurrence.message))
        let (messages, unreadable) = try await messages(ids)
        let instants = occurrences.map { spooled in
            spooled.isUnjudged ? spooled.occurrence.occurredAt.advanced(by: uncertainty) : spooled.occurrence.occurredAt
        }
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
            undecided: plan.undecided, droppedCount: plan.droppedCount, messageCount: ids.count)
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
        let statuses = try await consent.statuses(of: questions)
        let rules = try await rules(of: messages)
        // A read just now may have found that a ledger is damaged, and closed it. Its records then decide nothing.
        let closed = messages.values.filter(\.rules.isClosed).map(\.id)
        return DrainPlan(
            occurrences, rules: rules, undecidable: unreadable.union(closed), statuses: statuses, instants: instants)
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
