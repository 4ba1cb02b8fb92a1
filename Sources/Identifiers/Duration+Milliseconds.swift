extension Duration {
    /// The number of whole milliseconds. The rest is dropped, so -1.5 ms has -1.
    package var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
