import ArgumentParser
import Foundation
import Identifiers
import JSON
import LocalFiles
import SystemPackage

struct Consents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consents",
        abstract: "Record the consent of recipients.",
        discussion: """
            EXAMPLE
              consentlink consents import consents.csv --org acme
            """,
        subcommands: [ConsentsImport.self]
    )
}

struct ConsentsImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Record the consents in a file, any number of them: CSV with a header, or a JSON object in each line.",
        discussion: """
            The columns are \(ConsentTable.columns.joined(separator: ", ")); recipient and state must be there, the rest \
            may be. An empty cell is a value that is not there. A recipient with white space around it is refused.

            Rows that the service refuses are left out and written to a file of errors, by line and with the reason; the \
            command then exits with 1. When the connection breaks, or the service restarts, it goes on by itself; when \
            the command itself was ended, --resume does, and records no row twice. It needs the journal of the earlier run: \
            without it nothing is sent, and the command exits with 2. Rows that were added to a file since it was imported \
            are recorded by --resume, too; the exit code then tells of those alone.

            EXAMPLE
              consentlink consents import consents.csv --org acme
              consentlink consents import consents.csv --org acme --resume
            """
    )

    @Argument(
        help: ArgumentHelp("The file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The organization.", valueName: "id"))
    var org: String

    @Flag(help: "Each line is a JSON object, as in files that end in .ndjson or .jsonl.")
    var jsonLines = false

    @Option(
        help: ArgumentHelp("File for the refused rows. (default: FILE.errors.ndjson)", valueName: "file"),
        completion: .file())
    var errors: String?

    @Option(
        help: ArgumentHelp("Journal of the import. (default: FILE.import)", valueName: "file"), completion: .file())
    var journal: String?

    @Flag(help: "Go on where the journal says that an earlier run was.")
    var resume = false

    @OptionGroup var patience: PatienceOption

    @OptionGroup var options: APIOptions

    func validate() throws {
        guard errors != "-", journal != "-" else {
            throw ValidationError("--errors and --journal are files, and not standard output.")
        }
    }

    func run() async throws {
        let client = try options.client()
        let organization = try APIClient.segment(org, of: "--org")
        let source = try InputFile(path: file)
        let journal = ImportJournal(path: self.journal ?? "\(stem).import")
        let files = ImportFiles(input: file, errors: errorPath, journal: journal)
        try files.requireRegular()
        try files.requireDistinct()
        try requireJournal(journal)
        let lock = try ImportLock(of: journal)
        defer { withExtendedLifetime(lock) {} }
        let start = try start(journal)
        let done = RowCount()
        let sender = ConsentSender(client: client, organization: organization, patience: patience.duration)
        if resume, let last = start.last { try await requireKept(last, sender, journal) }
        let work = ConsentImport(
            sender: sender, journal: journal, errorPath: errorPath, rowsDone: done,
            askTime: { await client.serviceTime() })
        let bar = ProgressBar()
        Interruption.end { [journal] in
            // Rows of earlier runs are done, too, while they are still skipped.
            Self.hint(max(done.before + done.thisRun, start.rows), journal) ?? Self.hintOfNothing(journal)
        }
        let showing = Task<Void, Never> { await bar?.show({ (done.before, done.thisRun) }, share: { source.share }) }
        do {
            let summary = try await work.run(ImportSource(source, notation), after: start)
            await end(showing)
            if done.before + done.thisRun == 0 {
                complain("There are no rows in \(file == "-" ? "standard input" : file.shown).")
            }
            show(summary)
            if summary.refusedNow > 0 { throw ExitStatus.failed }
        } catch let failure as CommandFailure {
            await end(showing)
            throw failure.adding(Self.hint(done.before + done.thisRun, journal))
        }
    }

    private func end(_ showing: Task<Void, Never>) async {
        showing.cancel()
        await showing.value
    }

    /// The beginning of the names of files that belong to this one. Beside a pipe or a device there is no place for
    /// them, for any name.
    private var stem: String {
        let isOfKernel = ["/dev/fd/", "/dev/std", "/proc/"].contains(where: file.hasPrefix)
        return !isOfKernel && FileStatus(following: file)?.type == .regular ? file : "consents"
    }

    private var errorPath: String { errors ?? "\(stem).errors.ndjson" }

    private var notation: ImportSource.Notation {
        jsonLines || file.isNameOfJSONLines ? .json : .csv
    }

    /// Without its journal a run would record everything again: an older consent would come after a later withdrawal
    /// and outrank it.
    private func requireJournal(_ journal: ImportJournal) throws(CommandFailure) {
        guard resume, !journal.isThere else { return }
        throw CommandFailure(
            """
            consentlink: there is no \(journal.path.shown), so it is not known how far the import is. Nothing was \
            sent. --journal names another one; leave --resume out to import from the beginning
            """, exitCode: ExitStatus.usage)
    }

    private func start(_ journal: ImportJournal) throws(CommandFailure) -> ImportJournal.Progress {
        var earlier = try journal.read()
        if let earlier { try refuseOther(earlier, journal) }
        earlier?.organization = org
        // A run that recorded nothing needs no question.
        guard let earlier, !resume, earlier.rows > 0 || earlier.isDone else {
            return earlier ?? ImportJournal.Progress(of: org)
        }
        let state = earlier.isDone ? "was imported" : "was imported in part"
        let rest = earlier.isDone ? "with rows that were added since" : "with the next row"
        throw CommandFailure(
            """
            consentlink: \(journal.path.shown) says that this file \(state) (\(earlier.recorded.grouped) recorded, \
            \(earlier.refused.grouped) refused): --resume goes on \(rest); delete it to import everything anew
            """, exitCode: ExitStatus.usage)
    }

    /// Refuses to continue an import of another organization. A run that recorded nothing belongs to none.
    private func refuseOther(
        _ earlier: ImportJournal.Progress, _ journal: ImportJournal
    ) throws(CommandFailure) {
        let isBegun = earlier.rows > 0 || earlier.isDone || earlier.underWay != nil
        guard isBegun, let organization = earlier.organization, organization != org else { return }
        throw CommandFailure(
            """
            consentlink: \(journal.path.shown) is of an import into organization \(organization.shown), and not into \
            \(org.shown). Nothing was sent. --resume goes on with the organization that it began with; for another one \
            name another --journal and other --errors
            """, exitCode: ExitStatus.usage)
    }

    /// Refuses to continue where the service lost what it acknowledged, such as withdrawals.
    private func requireKept(
        _ record: String, _ sender: ConsentSender, _ journal: ImportJournal
    ) async throws {
        switch try await sender.has(APIClient.segment(record, of: "the last record in \(journal.path.shown)")) {
        case true?: return
        case nil:
            complain(
                """
                The service does not tell this key whether it still has what was recorded; it would tell a key with \
                the scope read, where looks at recipients are not recorded.
                """)
        case false?:
            throw CommandFailure(
                """
                consentlink: the service does not have the last record that \(journal.path.shown) says was recorded: it \
                was restored from an earlier backup, or is another one. Nothing was sent. Delete the journal to import \
                the whole file anew: a row with an occurredAt that is recorded twice changes nothing
                """, exitCode: ExitStatus.usage)
        }
    }

    /// How to get the rest after a failure.
    /// - Parameter count: the number of rows that are done.
    private static func hint(_ count: Int, _ journal: ImportJournal) -> String? {
        count > 0
            ? "\(count.counted("row is", "rows are")) done; --resume goes on with the next row (\(journal.path.shown))"
            : nil
    }

    /// The hint if no row is known to be done. The journal is written before anything is sent.
    private static func hintOfNothing(_ journal: ImportJournal) -> String {
        journal.isThere ? "No row is known to be done; --resume goes on (\(journal.path.shown))" : "No row was sent."
    }

    private func show(_ summary: ConsentImport.Summary) {
        guard !options.json else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("recorded", summary.recorded)
                writer.member("refused", summary.refused)
                writer.member("refusedNow", summary.refusedNow)
                writer.member("errors", summary.refused > 0 ? errorPath : nil)
                writer.key("refusals")
                writer.array { writer in
                    for refusal in summary.refusals { refusal.write(to: &writer) }
                }
            }
            return sayJSON(writer.bytes)
        }
        if let growth = summary.growth {
            let before = growth.before.counted("row was", "rows were")
            let added = growth.added == 0 ? "nothing was" : growth.added.counted("row was", "rows were")
            say("added     \(before) imported before, and \(added) added since")
        }
        say("recorded  \(summary.recorded.grouped)")
        guard summary.refused > 0 else { return }
        let new = summary.refusedNow == 0 ? "none" : summary.refusedNow.grouped
        let share = summary.growth == nil ? "" : " (\(new) of those that were added)"
        say("refused   \(summary.refused.grouped)\(share), see \(errorPath)")
        for refusal in summary.refusals { say("  \(refusal)") }
        let more = summary.refusedNow - summary.refusedEarlier - summary.refusals.count
        if more > 0 { say("  and \(more.grouped) more") }
        let earlier = summary.refusedEarlier
        if earlier > 0 { say("  \(summary.refusals.isEmpty ? "" : "and ")\(earlier.grouped) by earlier runs") }
    }
}
