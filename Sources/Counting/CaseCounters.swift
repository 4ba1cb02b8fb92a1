/// The things that are counted often: a few cases, each with its name for a label. The raw values must be the indices
/// from 0 on.
package protocol Counted: CaseIterable, Equatable, RawRepresentable, Sendable
where RawValue == Int, AllCases: Sendable {}

extension Counted {
    /// The name of the case is the label's value.
    package var label: String { String(describing: self) }
}

/// A counter for each case of `Case`. Counting looks for the place of the case, unless the case is ``Counted``.
package struct CaseCounters<Case: CaseIterable & Equatable & Sendable>: Sendable {
    private let counters = CounterArray(count: Case.allCases.count)

    package init() {}

    package func add(_ amount: Int = 1, _ which: Case) {
        for (index, known) in Case.allCases.enumerated() where known == which { add(amount, at: index) }
    }

    @usableFromInline
    package func add(_ amount: Int, at index: Int) { counters.add(UInt64(amount), at: index) }

    /// Each case with its count, in the order of the cases.
    package var counts: [(which: Case, count: UInt64)] {
        Case.allCases.enumerated().map { ($1, counters[$0]) }
    }

    fileprivate func count(at index: Int) -> UInt64 { counters[index] }
}

extension CaseCounters where Case: Hashable {
    /// Counts each of `cases`. The place of each case, whose search takes more than a microsecond, is looked for once.
    @inlinable
    package func add(each cases: some Sequence<Case>) {
        var counts: [Case: Int] = [:]
        for which in cases { counts[which, default: 0] += 1 }
        for (which, count) in counts { add(count, which) }
    }
}

extension CaseCounters where Case: Counted {
    @inlinable
    package func add(_ amount: Int = 1, _ which: Case) { add(amount, at: which.rawValue) }

    package subscript(which: Case) -> UInt64 { count(at: which.rawValue) }
}
