/// One value about clicks and opens together, or one about each.
package enum PerActivity<Value> {
    case together(Value)
    case apart(clicks: Value, opens: Value)

    package subscript(_ activity: TrackedActivity) -> Value {
        // A pair in a generic function would ask the runtime for its metadata each time.
        switch self {
        case .together(let value): value
        case .apart(let clicks, let opens):
            switch activity {
            case .clicks: clicks
            case .opens: opens
            }
        }
    }

    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> PerActivity<Other> {
        switch self {
        case .together(let value): .together(try transform(value))
        case .apart(let clicks, let opens): .apart(clicks: try transform(clicks), opens: try transform(opens))
        }
    }

    package var areApart: Bool {
        switch self {
        case .together: false
        case .apart: true
        }
    }
}

extension PerActivity: Sendable where Value: Sendable {}
extension PerActivity: Equatable where Value: Equatable {}
extension PerActivity: Hashable where Value: Hashable {}
