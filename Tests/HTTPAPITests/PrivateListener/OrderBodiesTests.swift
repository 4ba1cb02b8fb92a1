import Messages
import Testing

@testable import HTTPAPI

/// The mail of a first line, while the hosts of targets change.
@Suite struct OrderBodiesTests {
    private func rules(_ hosts: String...) throws -> TargetRules {
        TargetRules(
            ownOrigin: try PublicOrigin("https://links.example"), allowedHosts: try hosts.map(TargetHostPattern.init))
    }

    @Test("its links are judged by the rules of each batch of lines")
    func changed() throws {
        let any = try rules()
        let text = "https://shop.example/a https://other.example/b"
        let body = try MessageBody(text, .text) { url throws(TargetURLError) in try TargetURL(url, rules: any) }
        let bodies = OrderBodies([body], under: any)
        let batches = [(any, 2), (try rules("shop.example"), 1), (try rules("other.example"), 1), (any, 2), (any, 2)]
        for (rules, count) in batches {
            let judged = try bodies.bodies(by: MailTargets(rules: rules, known: nil))
            #expect(judged.map(\.part) == [.text])
            #expect(judged.flatMap(\.links).count == 2)
            #expect(judged.flatMap(\.links).count { $0.target != nil } == count)
        }
    }
}
