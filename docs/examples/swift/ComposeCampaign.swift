import ConsentLinkClient
import Foundation

/// Composes a message for the recipients on standard input, one in each line, and writes their payloads to standard
/// output, a line for each.
///
///     CONSENTLINK_KEY=clk_… ComposeCampaign http://127.0.0.1:8081 acme summer https://shop.example/ < who > payloads
@main
struct ComposeCampaign {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let key = ProcessInfo.processInfo.environment["CONSENTLINK_KEY"] else {
            complain("usage: CONSENTLINK_KEY=clk_… ComposeCampaign URL ORGANIZATION NAME LINK")
            exit(2)
        }
        let (url, organization, name, link) = (arguments[1], arguments[2], arguments[3], arguments[4])
        do {
            try await compose(
                Message(name: name, link: link), in: try ConsentLinkAPI(url, key: key).organization(organization))
        } catch let error as ConsentLinkError {
            complain("\(error)")
            exit(1)
        }
    }

    static func compose(_ message: Message, in organization: OrganizationAPI) async throws {
        let order = PayloadOrder(message, format: .plain)
        let lines = try organization.compose(order, forEach: StandardInput())
        var output = BufferedOutput()
        var (payloads, refused) = (0, 0)
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
        try output.flush()
        complain(
            "message \(lines.message ?? "-"): \(payloads) payloads, \(refused) refused, \(lines.connections) connections"
        )
    }

    static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

/// The lines of standard input, which are read as they are sent.
struct StandardInput: Sequence, IteratorProtocol, Sendable {
    mutating func next() -> String? { readLine() }
}

/// Standard output, written in large pieces.
struct BufferedOutput {
    private var bytes: [UInt8] = []

    mutating func writeLine(_ line: some Sequence<UInt8>) throws {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}
