import SQL
import Synchronization

/// What the steps of a schema make up to each version, found out once in the process.
final class ExpectedSchema: Sendable {
    private let steps: [String]
    /// By version. Held while the steps run in memory.
    private let made = Mutex<[Int: SchemaObjects]>([0: SchemaObjects()])

    init(_ steps: [String]) { self.steps = steps }

    /// - Parameter version: one of the schema's, or 0.
    func objects(of version: Int) throws(StorageError) -> SchemaObjects {
        try made.withLock { made throws(StorageError) in
            if let known = made[version] { return known }
            let objects = try SchemaObjects(madeBy: steps.prefix(version))
            made[version] = objects
            return objects
        }
    }
}
