extension String {
    /// Whether it is the name of a file with a JSON value in each line.
    var isNameOfJSONLines: Bool { [".ndjson", ".jsonl"].contains(where: hasSuffix) }
}
