/// A count as it is stored. What somebody wrote into the file must neither end the process nor stop what is counted: a
/// value that no service has counted is taken for the nearest that one could have.
enum KeptCount {
    /// Ten thousand such counts can be added up.
    static let greatest: Int64 = 1 << 48

    static func read(_ stored: Int64) -> Int { Int(min(max(stored, 0), greatest)) }

    /// In SQL. Beyond the range of integers SQLite goes on with floating point, which the column refuses.
    static func bounded(_ column: String) -> String { "max(0, min(\(column), \(greatest)))" }
}
