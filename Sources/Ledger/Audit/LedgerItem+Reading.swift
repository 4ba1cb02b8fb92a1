extension LedgerItem {
    /// When what it says happened, as RFC 3339 writes moments in UTC with milliseconds: such texts stand in the order of
    /// their moments. `nil` for what is no entry.
    package var instant: String? {
        let start = Array(#"{"at":""#.utf8)
        guard entry.starts(with: start) else { return nil }
        let text = entry.dropFirst(start.count).prefix { $0 != .quote }
        return String(validating: text, as: UTF8.self)
    }
}
