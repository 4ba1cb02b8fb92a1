extension LedgerItem {
    private static let instantName = Array("at".utf8)[...]

    /// When what it says happened, as RFC 3339 writes moments in UTC with milliseconds: such texts stand in the order of
    /// their moments. `nil` for what is no entry.
    package var instant: String? {
        var instant: String?
        let isObject = JSONScanner.members(of: entry[...]) { name, value in
            guard instant == nil, name == Self.instantName else { return }
            instant = String(validating: value.dropFirst().dropLast(), as: UTF8.self)
        }
        return isObject ? instant : nil
    }
}
