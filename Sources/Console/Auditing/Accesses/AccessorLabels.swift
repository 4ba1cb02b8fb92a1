import Consent
import Identifiers
import Organizations

/// The name of an accessor on a page: for a key its id and, while the key exists, its name.
struct AccessorLabels {
    private let keys: [AccessorName: String]

    /// - Parameter keys: the organization's keys.
    init(_ keys: [APIKey]) {
        let named = keys.filter { !$0.name.isEmpty }.map { (AccessorName(key: $0.id), $0.name) }
        self.keys = Dictionary(named) { first, _ in first }
    }

    func label(of who: AccessorName) -> String {
        guard let name = keys[who] else { return who.description }
        return "\(who) (\(name))"
    }
}
