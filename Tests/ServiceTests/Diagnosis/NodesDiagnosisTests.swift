import Identifiers
import StoragePorts
import Testing

@testable import Service

@Suite struct NodesDiagnosisTests {
    private func node(
        _ name: String, state: Node.State = .running, version: String = "0.1.0", beat: Int = 0, behind: UInt64 = 0,
        spooled: Int = 0
    ) throws -> Node {
        Node(
            slot: .single, name: try #require(NodeName(name)), state: state, version: version, lastBeat: .seconds(beat),
            changesBehind: behind, spooled: spooled)
    }

    private func found(_ nodes: Node...) -> [String] {
        NodesDiagnosis(nodes: nodes).entries.map { "\($0.remedy == nil ? "ok" : "!!") \($0.text)" }
    }

    @Test("nodes that run, and one that was ended in good order, need nothing")
    func well() throws {
        #expect(
            found(try node("a", behind: 3, spooled: 1), try node("b", state: .stopped, version: "0.0.9", beat: 900))
                == [
                    "ok a runs version 0.1.0, 3 changes behind, with 1 click in its spool",
                    "ok b was ended, with 0 clicks in its spool",
                ])
    }

    @Test("a silent node, clicks at one that was ended, one that does not follow, and two versions are told")
    func wrong() throws {
        let silent = try node("a", version: "0.0.9", beat: 8)
        #expect(found(silent) == ["!! a has been silent for 8 s, with 0 clicks in its spool or more"])
        let remedy = NodesDiagnosis(nodes: [silent]).entries[0].remedy
        #expect(remedy?.contains("consentlink node remove a --force") == true)
        #expect(found(try node("b", state: .stopped, spooled: 2)) == ["!! b was ended, with 2 clicks in its spool"])
        #expect(
            found(try node("c", behind: 10_001)) == [
                "!! c runs version 0.1.0, 10001 changes behind, with 0 clicks in its spool"
            ])
        #expect(
            found(silent, try node("d"), try node("e", version: "0.2.0"), try node("f")).last
                == "!! they run versions 0.1.0 (d, f) and 0.2.0 (e)")
    }
}
