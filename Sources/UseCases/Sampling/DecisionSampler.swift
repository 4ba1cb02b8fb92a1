package import Consent
package import Identifiers
package import Ledger

/// Draws samples of an organization's decisions, for auditors. Each draw takes a few steps, however large the ledger
/// is.
package struct DecisionSampler: Sendable {
    /// The greatest number of draws.
    static let maximumDrawCount: UInt64 = 20_000
    private static let drawsAtOnce = 500

    private let ledgers: any LedgerStore
    private let decisions: any DecisionArchive

    package init(ledgers: any LedgerStore, decisions: any DecisionArchive) {
        self.ledgers = ledgers
        self.decisions = decisions
    }

    /// - Throws: ``SampleError/shorter(_:)``
    package func sample(
        _ request: DecisionSampleRequest, in organization: OrganizationID
    ) async throws -> DecisionSample {
        let size = try await ledgers.head(of: organization)?.head.size ?? 0
        let through = request.through ?? size
        guard through <= size else { throw SampleError.shorter(size) }
        let leaves = try await leaves(of: request.filter, through: through, in: organization)
        guard !leaves.isEmpty else {
            return DecisionSample(through: through, leaves: leaves, draws: 0, isComplete: true, items: [])
        }
        var draws = SampleDraws(seed: request.seed.text, from: leaves)
        var items: [DecisionSample.Item] = []
        // The number of draws up to the one that found the last decision.
        var used: UInt64 = 0
        while items.count < request.size, draws.count < Self.maximumDrawCount, !draws.isExhausted {
            var drawn: [(leaf: UInt64, draw: UInt64)] = []
            while drawn.count < Self.drawsAtOnce, draws.count < Self.maximumDrawCount, !draws.isExhausted {
                if let leaf = draws.next() { drawn.append((leaf, draws.count)) }
            }
            let entries = try await entries(at: drawn.map(\.leaf), in: organization)
            used = draws.count
            for (leaf, draw) in drawn {
                guard let decision = entries[leaf], request.filter.fits(decision) else { continue }
                items.append(DecisionSample.Item(leaf: leaf, decision: decision))
                guard items.count == request.size else { continue }
                used = draw
                break
            }
        }
        return DecisionSample(
            through: through, leaves: leaves, draws: used,
            isComplete: items.count == request.size || draws.isExhausted, items: items)
    }

    private func leaves(
        of filter: DecisionQuery, through size: UInt64, in organization: OrganizationID
    ) async throws -> Range<UInt64> {
        var (first, end): (UInt64, UInt64) = (0, size)
        if let from = filter.from { first = try await ledgers.size(before: from, of: size, in: organization) }
        if let to = filter.to { end = try await ledgers.size(before: to, of: size, in: organization) }
        return first..<max(first, end)
    }

    private func entries(
        at leaves: [UInt64], in organization: OrganizationID
    ) async throws -> [UInt64: DecisionEntry] {
        let ids = try await ledgers.decisions(at: leaves, in: organization)
        let found = try await decisions.decisions(Array(ids.values), in: organization)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMapValues { byID[$0] }
    }
}

extension DecisionQuery {
    /// Whether a decision fits the message, the time, the outcome and the reason.
    fileprivate func fits(_ decision: DecisionEntry) -> Bool {
        message.map { $0 == decision.message } ?? true
            && outcome.map { $0 == decision.reason.outcome } ?? true
            && reason.map { $0 == decision.reason } ?? true
            && from.map { $0 <= decision.decidedAt } ?? true
            && to.map { decision.decidedAt < $0 } ?? true
    }
}
