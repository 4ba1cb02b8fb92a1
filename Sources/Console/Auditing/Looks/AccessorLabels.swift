import Consent
import Identifiers
import Organizations

/// How a page names those who looked: a key by its id and, while the key exists, its name.
struct AccessorLabels {
    private let keys: [AccessorName: String]

    /// - Parameter keys: of the organization.
    init(_ keys: [AccessKey]) {
        let named = keys.filter { !$0.name.isEmpty }.map { (AccessorName(key: $0.id), $0.name) }
        self.keys = Dictionary(named) { first, _ in first }
    }

    func label(of who: AccessorName) -> String {
        guard let name = keys[who] else { return who.description }
        return "\(who) (\(name))"
    }
}
