extension BinaryInteger {
    /// The number with the word for one or for many: `1 purge`, `2 purges`.
    func counted(_ one: String, _ many: String? = nil) -> String {
        "\(Int(clamping: self).grouped) \(self == 1 ? one : many ?? one + "s")"
    }
}
