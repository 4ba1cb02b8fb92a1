package import Consent
import Identifiers

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
