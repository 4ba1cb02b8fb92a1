/// One value about clicks and opens together, or one about each.
package enum PerActivity<Value> {
    case together(Value)
    case apart(clicks: Value, opens: Value)

    package subscript(_ activity: TrackedActivity) -> Value {
        switch (self, activity) {
        case (.together(let value), _): value
        case (.apart(let clicks, _), .clicks): clicks
        case (.apart(_, let opens), .opens): opens
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
