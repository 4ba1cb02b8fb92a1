/// A value in memory of its own, for a member that most of many values do not have. Such a member takes 8 bytes.
///
/// The evidence of a consent record takes 128. An import of 10,000 records has several arrays of them in memory, mostly
/// without evidence.
indirect enum Boxed<Value> {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
