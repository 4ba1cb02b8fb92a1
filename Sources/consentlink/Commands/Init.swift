import ArgumentParser
import Foundation
import Identifiers
import JSON
import Service

struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a data folder, or a lost file of one that can be made anew.",
        discussion: """
            Makes the databases and every key in a folder that is empty or does not exist. serve does the same at its \
            first start. No service may be running on the folder.

            EXAMPLE
              consentlink init --data /var/lib/consentlink
              consentlink init --data /var/lib/consentlink --new-operator-key
              consentlink init --data /var/lib/consentlink \\
                --storage postgres://consentlink@db.example.com/consentlink
            """
    )

    @Option(help: ArgumentHelp("Folder for databases and keys.", valueName: "dir"))
    var data = ProcessInfo.processInfo.environment["CONSENTLINK_DATA"] ?? "./data"

    @Option(
        help: ArgumentHelp(
            "Storage of the service: sqlite, or the URL of a PostgreSQL database, to which init does not connect.",
            valueName: "storage"))
    var storage = ProcessInfo.processInfo.environment["CONSENTLINK_STORAGE"] ?? "sqlite"

    @Flag(help: "Make a new operator key in a folder that exists: the key was lost, or another person has seen it.")
    var newOperatorKey = false

    @Flag(help: "Make an empty spool in a folder that has lost its own. Clicks that were only in the spool are lost.")
    var replaceSpool = false

    @Flag(
        help: """
            Continue with keyring.json as it is, although the service wrote other signing keys. Links of the missing \
            and changed keys do not open any more.
            """)
    var acceptKeyring = false

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func validate() throws {
        guard [newOperatorKey, replaceSpool, acceptKeyring].count(where: \.self) < 2 else {
            throw ValidationError("Give one of --new-operator-key, --replace-spool and --accept-keyring, not more.")
        }
    }

    func run() async throws {
        guard !data.isEmpty else { throw APIOptions.noFolder }
        if let fault = SettingText.fault(inFolder: data) {
            throw CommandFailure("consentlink: --data (or CONSENTLINK_DATA) \(fault)", exitCode: ExitStatus.usage)
        }
        let data = ServiceSettings.folder(data)
        let kind: StorageKind
        do throws(SettingError) {
            kind = try StorageKind(setting: storage)
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        }
        do throws(DataFolderError) {
            if newOperatorKey {
                try DataFolderTask.replaceOperatorKey(at: data)
                tell(
                    "changed", FolderFile.operatorKey,
                    lines: [
                        "There is a new operator key in \(data)/\(FolderFile.operatorKey); the old one opens nothing."
                    ])
            } else if replaceSpool {
                try DataFolderTask.replaceSpool(at: data)
                tell("changed", "spool.db", lines: ["There is a new, empty spool in \(data)."])
            } else if acceptKeyring {
                try DataFolderTask.acceptKeyRing(at: data)
                tell(
                    "changed", "key-fingerprints.json",
                    lines: ["The service continues with the signing keys in \(data)."])
            } else {
                let id = try DataFolderTask.make(at: data, storage: kind)
                tell(
                    "id", id.description,
                    lines: [
                        "Made the data folder \(data), with the operator key in \(data)/\(FolderFile.operatorKey).",
                        "Start the service: consentlink serve --data \(data.shellWord)"
                            + (kind == .sqlite ? "" : " --storage …"),
                    ])
            }
        } catch {
            throw CommandFailure(error, folder: data)
        }
    }

    private func tell(_ name: String, _ value: String, lines: [String]) {
        guard json else {
            for line in lines { say(line) }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("folder", data)
            writer.member(name, value)
        }
        sayJSON(writer.bytes)
    }
}
