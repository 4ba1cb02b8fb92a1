package import SQL

/// A database that can be read.
package protocol SQLReading: Sendable {
    /// Runs `body` in a snapshot, on a thread of the engine.
    /// - Parameter length: what waits for what.
    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a snapshot that has everything that was acknowledged anywhere before the call. A server that was
    /// replaced and does not know it yet may answer ``read(_:)`` without what its successor has acknowledged.
    ///
    /// What the snapshot shows is as durable on return as what a write has committed. ``read(_:)`` can show what is on the
    /// primary alone: a commit whose wait for a standby was broken off, as by a restart of the server.
    func readCurrent<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
}

extension SQLReading {
    /// A short one.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await read(.short, body) }

    /// As ``readCurrent(_:)``, but what is found need not be current where nothing stands on it: then nothing is waited for.
    ///
    /// A page of a feed is such: its reader goes on behind what it is given, which every later server must have, too, and
    /// behind nothing where it is given nothing.
    package func readCurrent<Value: Sendable>(
        unless isEmpty: @Sendable (Value) -> Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let found = try await read(body)
        return isEmpty(found) ? found : try await readCurrent(body)
    }

    package func readCurrent<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await read(body) }
}
