import ArgumentParser
import Glibc
import JSON
import Service

struct AuditExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Save the evidence as an archive that can be verified without the service.",
        discussion: """
            Without filters it is whole, and a missing row is noticed; with filters only its content is proved.

            EXAMPLE
              consentlink audit export --org acme --output acme.tar --since acme-june.txt
              consentlink verify acme.tar \\
                --key "links.example.com/acme+83ff9952+AekyeRrm…" --since acme-june.txt
            """
    )

    @OptionGroup var selection: AuditSelection

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File for the archive, which must not exist yet; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "An earlier checkpoint. The export then shows that the ledger continues it.",
            valueName: "checkpoint"), completion: .file())
    var since: String?

    @OptionGroup var access: AccessReasonOption

    @OptionGroup var options: APIOptions

    /// Larger than any signed checkpoint.
    private static let maximumCheckpointSize = 128 << 10

    private static let attempts = 5

    func run() async throws {
        let client = try options.client(giving: access.accessReason)
        var members = try await selection.members()
        if let since {
            let bytes = try EvidenceFile.note(in: since, upTo: Self.maximumCheckpointSize)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure("consentlink: \(since.shown) is not a checkpoint", exitCode: ExitStatus.usage)
            }
            members.append(("since", text))
        }
        guard output != "-" else { return try await write(members, from: client) }
        let name = UnfinishedFile.Name(for: output)
        Interruption.end { [output] in
            name.remove()
            return "\(output.shown) was not made."
        }
        let file = try await fetch(members, from: client, as: name)
        try file.finish()
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("file", output)
                writer.member("bytes", file.size)
            }
            sayJSON(writer.bytes)
        } else {
            say("\(output): \(file.size) bytes. To verify it: consentlink verify \(output.shellWord) --key VKEY")
        }
    }

    /// Writes to standard output. Bytes written there cannot be taken back, so an archive that breaks off is not
    /// requested again.
    private func write(_ members: [(name: String, value: String)], from client: APIClient) async throws {
        guard isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(
                "consentlink: the archive is not text for a terminal; name a file, or write it into a pipe",
                exitCode: ExitStatus.usage)
        }
        Interruption.end { "The archive is not whole." }
        var end = ArchiveEnd()
        try await stream(members, from: client) { piece in
            writeAnswer(piece)
            end.take(piece)
        }
        try Self.requireArchive(end, from: client)
        complain("\(end.size) bytes. To verify them: consentlink verify - --key VKEY")
    }

    private static func requireArchive(_ end: ArchiveEnd, from client: APIClient) throws(CommandFailure) {
        guard !end.isReached else { return }
        let what = end.size == 0 ? "it is empty" : "it does not end as one"
        throw CommandFailure("consentlink: the answer of \(client.base.shown) is not an archive: \(what)")
    }

    private func stream(
        _ members: [(name: String, value: String)], from client: APIClient, _ take: ([UInt8]) throws -> Void
    ) async throws {
        try await client.stream(
            "\(selection.path)/audits", of: "organization \(selection.org)", accept: "application/x-tar",
            { writer in for (name, value) in members { writer.member(name, value) } },
            { piece in
                try take(piece)
                return true
            })
    }

    /// An export is cut off if more is erased while it is made than the service can hold in memory (64 MiB), or if
    /// another node erases private fields of its entries; the next one contains the erasures.
    private func fetch(
        _ members: [(name: String, value: String)], from client: APIClient, as name: UnfinishedFile.Name
    ) async throws -> UnfinishedFile {
        var attempt = 1
        while true {
            let file = try UnfinishedFile(name)
            do {
                var end = ArchiveEnd()
                try await stream(members, from: client) { piece in
                    try file.write(piece)
                    end.take(piece)
                }
                try Self.requireArchive(end, from: client)
                return file
            } catch let failure as CommandFailure where failure.isTransient && attempt < Self.attempts {
                attempt += 1
                complain("\(failure.description). Asking again (\(attempt) of \(Self.attempts)).")
            }
        }
    }
}
