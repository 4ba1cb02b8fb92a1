import SQL
import Synchronization

@testable import SQLStorage

/// A database that notes how long its reads may take.
final class NotingDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    /// Guards the notes.
    private let noted = Mutex<[ReadingLength]>([])

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var commits: GroupCommit { get throws { try inner.commits } }
    var hasSeveralWriters: Bool { inner.hasSeveralWriters }

    /// The lengths of the reads since the last call.
    func take() -> [ReadingLength] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }

    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        noted.withLock { $0.append(length) }
        return try await inner.read(length, body)
    }

    func eraseResiduals() async throws { try await inner.eraseResiduals() }
}
