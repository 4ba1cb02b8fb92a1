import ArgumentParser
import JSON

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the running service copy everything it keeps, without stopping it.",
        discussion: """
            The copy is a folder in the one that serve --backups names. To restore it, start a service with --data on \
            it, or on a copy of it. It holds every key: keep it as you keep the data folder.

            EXAMPLE
              consentlink backup
            """
    )

    @OptionGroup var options: APIOptions

    /// A large store takes its time, and the service answers when all is on disk.
    private static let patience = Duration.seconds(24 * 60 * 60)

    func run() async throws {
        let answer = try await options.client().post(
            "/v1/backup", of: "private API", within: Self.patience)
        Output(isJSON: options.json).show(answer) {
            let rows = (answer["files"]?.elements ?? []).map { [$0["name"]?.text ?? "-", $0["bytes"]?.text ?? "-"] }
            return ["folder  \(answer["folder"]?.text ?? "-")", ""] + Output.table([["FILE", "BYTES"]] + rows)
        }
    }
}
