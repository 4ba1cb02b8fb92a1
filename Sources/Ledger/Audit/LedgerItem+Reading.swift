extension LedgerItem {
    private static let instantName = Array("at".utf8)[...]

    /// The time in the entry, as RFC 3339 in UTC with milliseconds, so that texts sort by time; `nil` if the bytes are
    /// not an entry.
    package var instant: String? {
        var instant: String?
        let isObject = JSONScanner.members(of: entry[...]) { name, value in
            guard instant == nil, name == Self.instantName else { return }
            instant = String(validating: value.dropFirst().dropLast(), as: UTF8.self)
        }
        return isObject ? instant : nil
    }
}
