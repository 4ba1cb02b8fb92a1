package import Consent

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
