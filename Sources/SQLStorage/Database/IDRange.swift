import Identifiers

/// The ids, or positions, from `lower` up to but not including `upper`.
struct IDRange {
    let lower: Int64
    let upper: Int64

    /// - Parameters:
    ///   - after: the last id that the reader has.
    ///   - from: the earliest time that an id in the range carries.
    ///   - to: the time before which every id in the range was made.
    init(after: (some EntityID)?, from: Timestamp? = nil, to: Timestamp? = nil) {
        let next = after.map { Int64($0.rawValue) }.map { $0 == .max ? $0 : $0 + 1 } ?? 1
        lower = max(next, from.map { Int64(TimeOrderedNumber.lowerBound(at: $0)) } ?? 1)
        upper = to.map { Int64(TimeOrderedNumber.lowerBound(at: $0)) } ?? .max
    }
}
