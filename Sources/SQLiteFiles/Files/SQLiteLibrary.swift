import CSQLite

/// How SQLite itself works, for all connections of the process.
enum SQLiteLibrary {
    private static let isPrepared = cl_sqlite_without_memory_account()

    /// Must be called before a connection is opened; does nothing after the first time.
    static func prepare() { _ = isPrepared }
}
