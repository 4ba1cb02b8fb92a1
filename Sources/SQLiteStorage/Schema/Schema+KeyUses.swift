import SQLiteFiles

extension Schema {
    static let keyUses = """
        -- When a key was used last, in milliseconds since 1970. NULL if no use is recorded.
        ALTER TABLE access_keys ADD COLUMN last_used_at INTEGER;
        """
}
