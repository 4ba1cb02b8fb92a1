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
    /// The id that the service gave to the message of the answers. Another service gives another one.
    private(set) var message: String?
    /// Whether the file is of this version's making, and says what the answers belong to.
    private var isKept = false

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
    mutating func begin() throws(CommandFailure) {
        if let bytes = SmallFile.read(path, upTo: Self.greatestSize) { _ = try noted(bytes) }
        isKept = write(message: nil)
    }

    /// Notes of which message the answers are, before the first of them is written. Durable on return, as ``begin()`` is.
    ///
    /// - Throws: `CommandFailure` where the answers before are of another.
    func note(message: String) throws(CommandFailure) {
        guard let known = self.message else {
            if isKept { _ = write(message: message) }
            return
        }
        guard known == message else {
            throw refusal("has answers of message \(known.shown), and the service answers with \(message.shown)")
        }
    }

    /// - Returns: `false` where it cannot be written, which is told.
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

    /// Refuses to go on with answers that belong to something else. Where there is no journal, as beside files of
    /// earlier versions, nothing is known.
    mutating func requireSame() throws(CommandFailure) {
        guard let bytes = SmallFile.read(path, upTo: Self.greatestSize) else { return }
        let noted = try noted(bytes)
        guard noted.organization == organization else {
            throw refusal("was begun for organization \(noted.organization.shown), and not for \(organization)")
        }
        guard noted.order == order else { throw refusal("was begun with another message, purpose or format") }
        (message, isKept) = (noted.message, true)
    }

    /// Refuses to go on at a service that does not have the message of the answers, before a recipient is sent. A
    /// service that cannot say so now is asked again with the first line.
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
                "consentlink: \(path.shown) is no journal of consentlink compose; name another --output",
                exitCode: ExitStatus.usage)
        }
        if case .string(let message) = noted["message"] { return (organization, order, message) }
        return (organization, order, nil)
    }

    private func refusal(_ what: String) -> CommandFailure {
        CommandFailure(
            """
            consentlink: \(output.shown) \(what), as \(path.shown) says. Nothing was changed. --resume goes on with what \
            the file began with; for anything else name another --output
            """, exitCode: ExitStatus.usage)
    }
}
