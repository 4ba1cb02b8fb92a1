import ArgumentParser
import JSON
import Service

struct AuditExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Save the evidence as an archive that anybody can verify without the service.",
        discussion: """
            Without filters it is whole, and a missing row is noticed; with filters what is in it is proved.

            EXAMPLE
              consentlink audit export --org acme --output acme.tar --since acme-june.txt
              consentlink verify acme.tar --key "links.example.com/acme+83ff9952+AekyeRrm…" --since acme-june.txt
            """
    )

    @OptionGroup var selection: AuditSelection

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The archive, which must not be there yet.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "A checkpoint from an earlier time, of which the ledger is shown to be a continuation.",
            valueName: "checkpoint"), completion: .file())
    var since: String?

    @OptionGroup var access: AccessReasonOption

    @OptionGroup var options: APIOptions

    /// More than a signed checkpoint can be.
    private static let greatestCheckpoint = 128 << 10

    private static let attempts = 5

    func run() async throws {
        let client = try options.client(giving: access.accessReason)
        var members = try selection.members()
        if let since {
            let bytes = try EvidenceFile.note(in: since, upTo: Self.greatestCheckpoint)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure("consentlink: \(since) is no checkpoint", exitCode: ExitStatus.usage)
            }
            members.append(("since", text))
        }
        let file = try await fetch(members, from: client)
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

    /// A whole export is cut off when a recipient is erased while it is made; the next one says that they were.
    private func fetch(_ members: [(name: String, value: String)], from client: APIClient) async throws
        -> UnfinishedFile
    {
        var attempt = 1
        while true {
            let file = try UnfinishedFile(for: output)
            do {
                try await client.stream(
                    "\(selection.path)/audits", of: "organization \(selection.org)", accept: "application/x-tar",
                    { writer in for (name, value) in members { writer.member(name, value) } },
                    { piece in
                        try file.write(piece)
                        return true
                    })
                return file
            } catch let failure as CommandFailure where failure.isTransient && attempt < Self.attempts {
                attempt += 1
                complain("\(failure.description). Asking again (\(attempt) of \(Self.attempts)).")
            }
        }
    }
}
