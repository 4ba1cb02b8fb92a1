import ConsentLinkClient
import Foundation

/// Composes a message for the recipients on standard input, one in each line, and writes their payloads to standard
/// output, a line for each. Exits with 1 when a recipient was refused, and when it did not come to the end.
///
///     CONSENTLINK_KEY=clk_… ComposeCampaign http://127.0.0.1:8081 acme summer https://shop.example/ < who > payloads
@main
struct ComposeCampaign {
    static func main() async {
        // A connection would get the number of a stream that is closed.
        guard (0...2).allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else {
            complain("standard input, output and error must be open")
            exit(1)
        }
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let key = ProcessInfo.processInfo.environment["CONSENTLINK_KEY"] else {
            complain("usage: CONSENTLINK_KEY=clk_… ComposeCampaign URL ORGANIZATION NAME LINK")
            exit(2)
        }
        let (url, organization, name, link) = (arguments[1], arguments[2], arguments[3], arguments[4])
        do {
            let acme = try ConsentLinkAPI(url, key: key).organization(organization)
            exit(try await compose(Message(name: name, link: link), in: acme) ? 0 : 1)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// - Returns: whether no recipient was refused.
    static func compose(_ message: Message, in organization: OrganizationAPI) async throws -> Bool {
        let input = StandardInput()
        let lines = try organization.compose(PayloadOrder(message, format: .plain), forEach: input)
        var output = StandardOutput()
        var (payloads, refused) = (0, 0)
        do {
            for try await line in lines {
                switch line {
                case .payload(let payload):
                    payloads += 1
                    try output.writeLine(payload.json)
                case .refused(let problem):
                    refused += 1
                    complain("line \(payloads + refused): \(problem)")
                }
            }
            try input.requireWhole()
        } catch {
            // The lines that are answered are not composed again: the caller leaves them out.
            try output.flush()
            complain("\(payloads + refused) lines are answered")
            throw error
        }
        try output.flush()
        complain(
            "message \(lines.message ?? "-"): \(payloads) payloads, \(refused) refused, \(lines.connections) connections"
        )
        return refused == 0
    }

    static func complain(_ text: String) {
        // There is nobody to tell where this fails.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}

/// Why a stream of this process can be used no further.
struct StreamError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// What the system says of the last call.
    init(lastOf stream: String) { self.init("\(stream): \(String(cString: strerror(errno)))") }
}
