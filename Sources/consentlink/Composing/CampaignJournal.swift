import ArgumentParser
import Cryptography
import JSON

/// Says what an output belongs to, in a file beside it: the answers do not contain their message. It names no recipient
/// and contains only a digest of the message.
struct CampaignJournal {
    private static let maximumSize = 4096
    private static let version = JSONValue.integer(1)

    private let output: String
    private let organization: String
    /// SHA-256 of the order in canonical JSON, in hexadecimal.
    private let order: String
    /// The id that the service gave to the message. Another service gives another id.
    private(set) var message: String?
    /// Whether this version made the file, so that it says what the answers belong to.
    private var isKept = false

    /// - Parameters:
    ///   - output: the path of the file with the answers.
    ///   - order: the first line of the request.
    init(output: String, organization: String, order: JSONValue) {
        self.output = output
        self.organization = organization
        // A number that canonical JSON cannot express is written unchanged.
        self.order = Hexadecimal.encode(SHA256.hash(of: (try? order.canonical()) ?? order.serialized()))
    }

    private var path: String { "\(output).compose" }

    /// Notes what the following answers belong to. Durable on return. If it cannot be written, the command continues
    /// without it and says so.
    ///
    /// - Throws: `CommandFailure` if something else has its name.
    mutating func begin() throws(CommandFailure) {
        if let bytes = SmallFile.read(path, upTo: Self.maximumSize) { _ = try noted(bytes) }
        isKept = write(message: nil)
    }

    /// Notes the message of the answers, before the first of them is written. Durable on return, like ``begin()``.
    ///
    /// - Throws: `CommandFailure` if the earlier answers are of another message.
    func note(message: String) throws(CommandFailure) {
        guard let known = self.message else {
            if isKept { _ = write(message: message) }
            return
        }
        guard known == message else {
            throw refusal("has answers of message \(known.shown), and the service answers with \(message.shown)")
        }
    }

    /// - Returns: `false` if it cannot be written, which is reported.
    private func write(message: String?) -> Bool {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("organization", organization)
            writer.member("order", order)
            if let message { writer.member("message", message) }
        }
        do throws(CommandFailure) {
            try SmallFile.write(writer.bytes + [UInt8(ascii: "\n")], to: path)
            return true
        } catch {
            complain("\(error)\nconsentlink: --resume will not notice if it is given another message.")
            return false
        }
    }

    /// Refuses to continue answers that belong to something else. If there is no journal, as beside files of earlier
    /// versions, this is not known.
    mutating func requireSame() throws(CommandFailure) {
        guard let bytes = SmallFile.read(path, upTo: Self.maximumSize) else { return }
        let noted = try noted(bytes)
        guard noted.organization == organization else {
            throw refusal("was begun for organization \(noted.organization.shown), and not for \(organization)")
        }
        guard noted.order == order else { throw refusal("was begun with another message, purpose or format") }
        (message, isKept) = (noted.message, true)
    }

    /// Before a recipient is sent, refuses to continue at a service that does not have the message of the answers. If
    /// the service cannot say so now, it is asked again with the first line.
    func requireMessage(at client: APIClient) async throws {
        guard let message else { return }
        let what = "message \(message) of organization \(organization)"
        let absence = try await client.absence(of: what, at: "/v1/orgs/\(organization)/messages/\(message)")
        guard let absence else { return }
        throw CommandFailure("\(absence)\n\(refusal("was begun with it"))", exitCode: ExitStatus.usage)
    }

    private func noted(
        _ bytes: [UInt8]
    ) throws(CommandFailure) -> (organization: String, order: String, message: String?) {
        guard let noted = try? JSONValue.parse(bytes), noted["version"] == Self.version,
            case .string(let organization) = noted["organization"], case .string(let order) = noted["order"]
        else {
            throw CommandFailure(
                "consentlink: \(path.shown) is not a journal of consentlink compose; name another --output",
                exitCode: ExitStatus.usage)
        }
        if case .string(let message) = noted["message"] { return (organization, order, message) }
        return (organization, order, nil)
    }

    private func refusal(_ what: String) -> CommandFailure {
        CommandFailure(
            """
            consentlink: \(output.shown) \(what), as \(path.shown) says. Nothing was changed. --resume goes on with \
            the request that the file began with; for another one name another --output
            """, exitCode: ExitStatus.usage)
    }
}
