import ArgumentParser
import Identifiers
import JSON
import Service

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Have the running service copy its data folder, without stopping it.",
        discussion: """
            The copy is a folder in the one that serve --backups names. To restore it, put a copy of it into an empty \
            folder, and start a service with --data on that. It holds every key: keep it as you keep the data folder. \
            A database on a PostgreSQL server is not in it: back that up on the server, and keep both.

            With --keep-days, older backups of the same data folder are deleted after the new one is made. Others in \
            the folder stay.

            EXAMPLE
              consentlink backup
              consentlink backup --keep-days 14 --keep 7
            """
    )

    @OptionGroup var options: APIOptions

    @Option(
        help: ArgumentHelp(
            "Delete backups of the same data folder that are older; on the machine of the service.", valueName: "days"))
    var keepDays: Int?

    @Option(
        help: ArgumentHelp("How many of the newest stay, however old they are. (default: 7)", valueName: "count"))
    var keep: Int?

    /// A large store takes long, and the service answers when everything is on disk.
    private static let patience = Duration.hours(24)
    private static let mostDays = 36_500
    private static let usuallyKept = 7

    /// What the backup does not contain, and how to back it up.
    private static func advice(on answer: JSONValue) -> [String] {
        guard case .bool(false)? = answer["includesDatabase"] else { return [] }
        return ["", "The database is on a server and is not in this backup. Back it up there: docs/postgresql.md"]
    }

    /// A row for each file of the backup, and one for each folder in it: there is a checkpoint for each organization.
    private static func rows(_ files: [JSONValue]) -> [[String]] {
        var rows: [[String]] = []
        var folders: [String: (row: Int, files: Int, bytes: UInt64)] = [:]
        for file in files {
            let (name, bytes) = (file["name"]?.text ?? "-", file["bytes"]?.text ?? "-")
            guard let end = name.lastIndex(of: "/") else {
                rows.append([name, bytes])
                continue
            }
            let folder = String(name[...end])
            var sum = folders[folder] ?? (rows.count, 0, 0)
            sum.files += 1
            sum.bytes += UInt64(bytes) ?? 0
            if sum.files == 1 { rows.append([]) }
            rows[sum.row] = ["\(folder) (\(sum.files) \(sum.files == 1 ? "file" : "files"))", String(sum.bytes)]
            folders[folder] = sum
        }
        return rows
    }

    func validate() throws {
        guard keepDays.map({ (1...Self.mostDays).contains($0) }) ?? true else {
            throw ValidationError("--keep-days must be from 1 to \(Self.mostDays)")
        }
        guard let keep else { return }
        guard keepDays != nil else { throw ValidationError("--keep needs --keep-days") }
        guard keep >= 1 else { throw ValidationError("--keep must be at least 1") }
    }

    func run() async throws {
        let answer = try await options.client().post(
            "/v1/backup", of: "private API", having: ["folder", .list("files")],
            inDoubt: "A backup may be made all the same: look into the folder for backups.",
            // A backup that fails leaves nothing under a backup's name.
            undoneIfUnavailable: true, within: Self.patience)
        Output(isJSON: options.json).show(answer) {
            let table = Output.table([["FILE", "BYTES"]] + Self.rows(answer["files"]?.elements ?? []))
            return ["folder  \(answer["folder"]?.text ?? "-")", ""] + table + Self.advice(on: answer)
        }
        if let keepDays { try removeOld(olderThan: keepDays, beside: answer["folder"]?.text ?? "") }
    }

    /// - Parameter newest: the backup that was made.
    private func removeOld(olderThan days: Int, beside newest: String) throws(CommandFailure) {
        do throws(OldBackups.Failure) {
            let removed = try OldBackups(beside: newest)
                .remove(olderThan: days, butNewest: keep ?? Self.usuallyKept)
            guard !options.json else { return }
            for folder in removed { say("deleted \(folder)") }
        } catch {
            throw CommandFailure("consentlink: the backup was made, and old ones were not all deleted: \(error)")
        }
    }
}
