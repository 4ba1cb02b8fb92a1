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
