import ArgumentParser
import Identifiers
import JSON
import Ledger
import Service
import StoragePorts

struct DatabaseSeal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Let entries count that closed a ledger because no node had sealed it.",
        discussion: """
            Without --head it changes nothing: it shows the entries behind the last checkpoint, and the head of the \
            ledger with them. Find out who wrote them, and compare the head with what you expect. With --head, which \
            must be the present one, it seals the ledger as it is. Then restart each node, one after the other: they \
            sign the entries. Run it as the user of the service, on the machine of a node. The file sealed.ndjson in \
            the data folder has a line for each seal that was made so.

            Exits with 1 while the ledger has no seal.

            EXAMPLE
              consentlink database seal acme --data /var/lib/consentlink \\
                --storage postgres://consentlink@db.example.com/consentlink
            """
    )

    @Argument(help: "The id of the organization.")
    var organization: String

    @Option(help: ArgumentHelp("The head that the command showed, to seal the ledger.", valueName: "head"))
    var head: String?

    @Option(help: ArgumentHelp("Data folder of a node. (default: ./data)", valueName: "dir"))
    var data: String?

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let settings = try await options.settings(data: data)
        guard let id = try? OrganizationID(organization) else {
            throw CommandFailure(
                "consentlink: \(organization.shown) is no id of an organization", exitCode: ExitStatus.usage)
        }
        do {
            let task = try LedgerSealTask(settings)
            let state = try await task.state(of: id)
            guard let head, !state.isSealed else {
                show(state, isSealed: state.isSealed)
                guard state.isSealed else { throw ExitStatus.failed }
                return
            }
            guard head == state.head.text else {
                throw CommandFailure("consentlink: the head of the ledger is \(state.head.text): nothing was changed")
            }
            try await task.seal(id, state)
            show(state, isSealed: true)
        } catch let error as SettingError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        } catch let error as DataFolderError {
            throw CommandFailure(error, folder: settings.dataFolder)
        } catch let failure as any StoreFailure {
            throw CommandFailure("consentlink: \("\(failure)".shown)")
        }
    }

    private func show(_ state: LedgerSealTask.State, isSealed: Bool) {
        let count = state.head.size - (state.signed?.size ?? 0)
        guard !options.json else { return showJSON(state, isSealed: isSealed) }
        let entries = state.entries.map { "entry \($0.leaf)  \(String(decoding: $0.entry, as: UTF8.self))" }
        for line in entries { say(line.shown) }
        if count > UInt64(entries.count) { say("The newest \(count) are not signed; these are the first of them.") }
        if !entries.isEmpty { say("") }
        say("signed  \(state.signed?.text ?? "nothing")")
        say("head    \(state.head.text)")
        say("")
        guard !isSealed else {
            return say("The ledger is sealed as it is. If nodes have it closed, restart each, one after the other.")
        }
        say("No node has sealed the ledger with these entries. If they must count, run this again with:")
        say("  --head \(state.head.text)")
    }

    private func showJSON(_ state: LedgerSealTask.State, isSealed: Bool) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("organization", organization)
            writer.member("sealed", isSealed)
            writer.member("signed", state.signed?.text)
            writer.member("head", state.head.text)
            writer.key("entries")
            writer.array { writer in
                for item in state.entries {
                    writer.object { writer in
                        writer.member("index", item.leaf)
                        writer.member("entry", String(decoding: item.entry, as: UTF8.self))
                    }
                }
            }
        }
        sayJSON(writer.bytes)
    }
}
