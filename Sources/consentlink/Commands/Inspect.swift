import ArgumentParser
import JSON

struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show whether a tracking ID or a tracked link is genuine, its message, and whether it records.",
        discussion: """
            It does not name the recipient. Exits with 1 when it is not genuine.

            EXAMPLE
              consentlink inspect http://127.0.0.1:8080/r/AQE…
            """
    )

    @Argument(help: "A tracking ID, or the address of the link or of the image that ends in it.")
    var token: String

    @OptionGroup var options: APIOptions

    func run() async throws {
        let id = Self.id(in: token)
        let answer = try await options.client().post("/v1/inspect", of: "private API", having: ["genuine"]) {
            $0.member("token", id)
        }
        let isGenuine = answer["genuine"] == .bool(true)
        Output(isJSON: options.json).show(answer) {
            guard isGenuine else { return ["genuine       no (\(answer["reason"]?.text ?? "-"))"] }
            var lines = [
                "genuine       yes, signed with key \(answer["key"]?.text ?? "-")",
                "organization  \(answer["organization"]?.text ?? "-")",
                "message       \(answer["message"]?.text ?? "-")\(answer["disabled"] == .bool(true) ? ", switched off" : "")",
                "link          \(answer["link"]?.text ?? "-")",
                "target        \(answer["target"]?.text ?? "-")",
                "expires       \(answer["expires"]?.text ?? "-")",
                "recorded now  \(Self.recording(answer, of: answer))",
            ]
            if let opens = answer["opens"] { lines.append("opens         \(Self.recording(opens, of: answer))") }
            return lines
        }
        if !isGenuine { throw ExitStatus.failed }
    }

    /// Whether something is recorded, and the reason.
    /// - Parameter part: the part about clicks or about opens.
    private static func recording(_ part: JSONValue, of answer: JSONValue) -> String {
        let consent = part["consent"]?.text ?? "-"
        let isOff = answer["disabled"] == .bool(true)
        let hasEnded = answer["expired"] == .bool(true)
        // After a restore there are links of recipients that the database does not know.
        let known = consent == "recipientErased" ? "\(consent), or not known here" : consent
        let reason = isOff ? "switched off" : hasEnded ? "expired" : known
        return "\(part["recorded"]?.text ?? "-") (\(reason))"
    }

    /// The tracking ID at the end of a link, or of the address of the image that reports opens (`/o/ID.gif`), with any
    /// query or fragment after it.
    private static func id(in token: String) -> String {
        let parts = token.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard let last = parts.last else { return token }
        let isImage = parts.dropLast().last == "o" && last.hasSuffix(".gif")
        return String(isImage ? last.dropLast(".gif".count) : last)
    }
}
