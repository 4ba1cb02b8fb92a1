import ArgumentParser

/// How long a command retries.
struct PatienceOption: ParsableArguments {
    private static let allowed = 1...86_400

    @Option(
        name: .customLong("patience"),
        help: ArgumentHelp("How long to go on trying while nothing is answered.", valueName: "seconds"))
    var seconds = 60

    var duration: Duration { .seconds(seconds) }

    func validate() throws {
        guard Self.allowed.contains(seconds) else {
            throw ValidationError("--patience must be from 1 to 86400 seconds.")
        }
    }
}
