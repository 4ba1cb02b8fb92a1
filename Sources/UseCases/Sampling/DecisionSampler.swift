package import Consent
package import Identifiers
package import Ledger

/// The set of decisions for a sample, and how it is drawn.
package struct DecisionSampleRequest: Hashable, Sendable {
    package static let maximumSize = 1000
    /// In bytes.
    static let maximumSeedLength = 128

    package let seed: SampleSeed
    package let size: Int
    /// The number of entries to draw from, counted from the first; `nil` for the whole present ledger.
    package let through: UInt64?
    /// Its `recipient` and `after` are ignored.
    let filter: DecisionQuery

    package init(seed: SampleSeed, size: Int, through: UInt64?, filter: DecisionQuery) {
        self.seed = seed
        self.size = size
        self.through = through
        self.filter = filter
    }

    /// Reads ``size`` from a query.
    package static func size(_ text: String) throws(SampleError) -> Int {
        guard let size = Int.parse(decimal: text), (1...maximumSize).contains(size) else { throw .size }
        return size
    }

    /// Reads ``through`` from a query.
    package static func entries(_ text: String) throws(SampleError) -> UInt64 {
        guard let size = UInt64.parse(decimal: text), size <= UInt64(Int64.max) else { throw .through }
        return size
    }
}

/// A seed that an auditor chooses, such as the result of rolling dice.
package struct SampleSeed: Hashable, Sendable {
    package let text: String

    package init(_ text: String) throws(SampleError) {
        guard (1...DecisionSampleRequest.maximumSeedLength).contains(text.utf8.count) else { throw .seed }
        self.text = text
    }
}

/// A parameter of a sample that is refused. The description follows its name, except for ``shorter(_:)``.
package enum SampleError: Error, Hashable, CustomStringConvertible {
    case seed
    case size
    case through
    /// The ledger has fewer entries. Has their number.
    case shorter(UInt64)

    package var description: String {
        switch self {
        case .seed: "must be 1 to \(DecisionSampleRequest.maximumSeedLength) bytes long"
        case .size: "must be a number from 1 to \(DecisionSampleRequest.maximumSize)"
        case .through: "must be a number of entries"
        case .shorter(let size): "the ledger has \(size) entries"
        }
    }
}

/// Decisions that were drawn at random. The same request with the same ``through`` always draws the same decisions.
package struct DecisionSample: Sendable {
    package struct Item: Sendable {
        /// The index of the decision's entry in the ledger.
        package let leaf: UInt64
        package let decision: DecisionEntry
    }

    /// The sample is of the first so many entries.
    package let through: UInt64
    /// The leaves that were drawn from: those in the requested time.
    package let leaves: Range<UInt64>
    /// How many draws were made.
    package let draws: UInt64
    /// Whether it has the requested number of decisions, or all that fit. Otherwise the greatest number of draws was
    /// reached, because few decisions fit.
    package let isComplete: Bool
    /// In the order in which they were drawn.
    package let items: [Item]
}

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
