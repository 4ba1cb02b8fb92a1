extension Duration {
    /// The number of whole nanoseconds, of a duration of 292 years at most. The rest is dropped.
    package var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }

    /// The number of whole milliseconds. The rest is dropped, so -1.5 ms has -1.
    package var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
