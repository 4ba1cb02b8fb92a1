package import SQL

/// A database that can be read.
package protocol SQLReading: Sendable {
    /// Runs `body` in a snapshot, on a thread of the engine.
    /// - Parameter length: decides which other reads it may have to wait for.
    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a snapshot that contains everything that was acknowledged anywhere before the call. A server that
    /// was replaced and does not know it yet may answer ``read(_:)`` without what its successor has acknowledged.
    ///
    /// What the snapshot shows is as durable on return as a committed write. ``read(_:)`` can show a commit that only
    /// the primary has: one whose wait for a standby was interrupted, for example by a restart of the server.
    /// - Parameter length: decides which other reads it may have to wait for.
    func readCurrent<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
}

extension SQLReading {
    /// A short read.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await read(.short, body) }

    /// As ``readCurrent(_:)``, but does not wait if nothing that the caller does next depends on the result.
    ///
    /// An example is a page of a feed: its reader continues behind the last item that it gets, so every later server
    /// must have that item. If the page is empty, the reader continues from where it was, and no wait is needed.
    func readCurrent<Value: Sendable>(
        _ length: ReadingLength = .short, unless isEmpty: @Sendable (Value) -> Bool,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let found = try await read(length, body)
        return isEmpty(found) ? found : try await readCurrent(length, body)
    }

    /// A short read.
    package func readCurrent<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await readCurrent(.short, body) }

    package func readCurrent<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await read(length, body) }
}
