import ArgumentParser

/// The YAML file of settings.
///
/// Of an option that is given twice, the parser takes the last. Of two files of settings, the first would be ignored
/// without a word: the listeners, the storage and the data folder in it, too.
struct ConfigOption: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp("YAML file with settings named as the flags of serve.", valueName: "file"))
    var files: [String] = []

    /// The path of the file; `nil` if none is given.
    var file: String? { files.last }

    func validate() throws {
        guard files.count < 2 else {
            throw ValidationError("Give --config once: of two files, only one would count.")
        }
    }
}
