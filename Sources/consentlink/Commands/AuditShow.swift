import ArgumentParser
import JSON
import Ledger

struct AuditShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show why a recipient was tracked or not: the rule, the consent record, the message, the proof.",
        discussion: """
            With --json it prints the service's answer unchanged. Save it to a file for consentlink verify.

            EXAMPLE
              consentlink audit show 3357d7d9f4000001 --org acme
              consentlink audit show 3357d7d9f4000001 --org acme --json > decision.json
            """
    )

    @Argument(help: ArgumentHelp("The decision's id, as consentlink audit lists it.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The organization.", valueName: "id"))
    var org: String

    @Option(
        help: ArgumentHelp(
            "The ledger's verifier key, as you keep it. (default: the one that the service says it has)",
            valueName: "vkey"))
    var key: String?

    @OptionGroup var access: AccessReasonOption

    @OptionGroup var options: APIOptions

    func run() async throws {
        let client = try options.client(giving: access.accessReason)
        let path = "/v1/orgs/\(try APIClient.segment(org, of: "--org"))"
        let decision = try await client.get(
            "\(path)/decisions/\(try APIClient.segment(id, of: "the decision's id"))",
            of: "decision \(id) of organization \(org)", having: ["id", "outcome", "reason"])
        guard !options.json else { return sayJSON(decision.serialized()) }
        let message = try? await client.get("\(path)/messages/\(decision["message"]?.text ?? "-")", having: [])
        let proof = try await proofState(of: decision, from: client, at: path)
        let explanation = DecisionExplanation(decision, messageName: message?["name"]?.text, proof: proof.text)
        for line in explanation.lines { say(line) }
        if !proof.holds { throw ExitStatus.failed }
    }

    /// - Returns: the text about the proof, and `false` if the proof is invalid.
    private func proofState(
        of decision: JSONValue, from client: APIClient, at path: String
    ) async throws -> (text: String, holds: Bool) {
        guard case .string = decision["proof"] else {
            return ("none: the decision is older than the ledger, or nothing can be signed just now", true)
        }
        let verifier: VerifierKey
        do {
            let text =
                if let key { key } else {
                    try await client.get("\(path)/ledger", having: [])["verifierKey"]?.text ?? "-"
                }
            verifier = try VerifierKey(text)
        } catch let error as LedgerError {
            throw CommandFailure("consentlink: --key: \(error.description.shown)", exitCode: ExitStatus.usage)
        } catch {
            return ("there is one, and the ledger's key cannot be asked for; name it with --key", true)
        }
        do throws(AuditFault) {
            guard case .decision(let findings, _) = try DecisionDocument(decision.serialized()).verify(by: verifier)
            else { return ("the proof is not that of a decision", false) }
            let size = findings.checkpoint.head.size.counted("entry", "entries")
            let key = key == nil ? "the key that the service names; compare it with the one you keep" : "your key"
            return ("holds: entry \(findings.index) of \(size), signed with \(key)", true)
        } catch { return ("DOES NOT HOLD: \(error)", false) }
    }
}
