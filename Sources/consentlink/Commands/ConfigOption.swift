import ArgumentParser

/// The YAML file of settings.
///
/// If an option is given twice, the parser takes the last one. The first of two files of settings would then be ignored
/// without a message, together with the listeners, the storage and the data folder in it.
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
