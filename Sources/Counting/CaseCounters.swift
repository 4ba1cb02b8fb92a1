/// The things that are counted: a few cases, each with its name for a label.
package protocol Counted: CaseIterable, RawRepresentable, Sendable where RawValue == Int, AllCases: Sendable {}

extension Counted {
    /// The name of the case is the label's value.
    package var label: String { String(describing: self) }
}

/// A counter for each case of `Case`. The raw values must be the indices from 0 on.
package struct CaseCounters<Case: Counted>: Sendable {
    private let counters = CounterArray(count: Case.allCases.count)

    package init() {}

    @inlinable
    package func add(_ amount: Int = 1, _ which: Case) { add(amount, at: which.rawValue) }

    @usableFromInline
    package func add(_ amount: Int, at index: Int) { counters.add(UInt64(amount), at: index) }

    package subscript(which: Case) -> UInt64 { counters[which.rawValue] }
}
