import ArgumentParser
import Cryptography
import JSON

/// What an output belongs to, in a file beside it: its answers do not say of which message they are. It names no
/// recipient and has nothing of the message but a digest.
struct CampaignJournal {
    private static let greatestSize = 4096
    private static let version = JSONValue.integer(1)

    private let output: String
    private let organization: String
    /// SHA-256 of the order in canonical JSON, in hexadecimal.
    private let order: String

    /// - Parameters:
    ///   - output: the path of the file with the answers.
    ///   - order: the first line of the request.
    init(output: String, organization: String, order: JSONValue) {
        self.output = output
        self.organization = organization
        // A number that canonical JSON cannot have is written as it stands.
        self.order = Hexadecimal.encode(SHA256.hash(of: (try? order.canonical()) ?? order.serialized()))
    }

    private var path: String { "\(output).compose" }

    /// Notes what the answers that follow belong to. Durable on return. Where it cannot be written, it is done without,
    /// and told.
    ///
    /// - Throws: `CommandFailure` where something else has its name.
    func begin() throws(CommandFailure) {
        if let bytes = SmallFile.read(path, upTo: Self.greatestSize) { _ = try noted(bytes) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("organization", organization)
            writer.member("order", order)
        }
        do throws(CommandFailure) {
            try SmallFile.write(writer.bytes + [UInt8(ascii: "\n")], to: path)
        } catch {
            complain("\(error)\nconsentlink: --resume will not notice if it is given another message.")
        }
    }

    /// Refuses to go on with answers that belong to something else. Where there is no journal, as beside files of
    /// earlier versions, nothing is known.
    func requireSame() throws(CommandFailure) {
        guard let bytes = SmallFile.read(path, upTo: Self.greatestSize) else { return }
        let noted = try noted(bytes)
        guard noted.organization == organization else {
            throw refusal("was begun for organization \(noted.organization.shown), and not for \(organization)")
        }
        guard noted.order == order else { throw refusal("was begun with another message, purpose or format") }
    }

    private func noted(_ bytes: [UInt8]) throws(CommandFailure) -> (organization: String, order: String) {
        guard let noted = try? JSONValue.parse(bytes), noted["version"] == Self.version,
            case .string(let organization) = noted["organization"], case .string(let order) = noted["order"]
        else {
            throw CommandFailure(
                "consentlink: \(path.shown) is no journal of consentlink compose; name another --output",
                exitCode: ExitStatus.usage)
        }
        return (organization, order)
    }

    private func refusal(_ what: String) -> CommandFailure {
        CommandFailure(
            """
            consentlink: \(output.shown) \(what), as \(path.shown) says. Nothing was changed. --resume goes on with what \
            the file began with; for anything else name another --output
            """, exitCode: ExitStatus.usage)
    }
}
