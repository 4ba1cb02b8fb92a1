import JSON
import Ledger
import LedgerSamples
import Testing

@testable import consentlink

@Suite struct DecisionDocumentTests {
    /// The service's answer about entry 6 of a ledger, as somebody saved it.
    private func document(_ ledger: SampleLedger, of index: Int = 6, isOpen: Bool = true) throws -> [String: JSONValue]
    {
        let item = try ledger.items()[index]
        let entry = try JSONValue.parse(item.entry)
        let fields = try JSONValue.parse(item.opening?.fields ?? Array("{}".utf8))
        let proof = try #require(try ledger.proof(of: index, isOpen ? item : item.opened(by: nil)))
        var document: [String: JSONValue] = [
            "id": entry["id"] ?? .null, "decidedAt": entry["at"] ?? .null,
            "proof": .string(String(decoding: proof.bytes, as: UTF8.self)), "policy": .string("x"),
        ]
        for name in ["outcome", "reason", "enforcement"] { document[name] = entry[name] ?? .null }
        for name in ["recipient", "message", "purpose", "consent"] { document[name] = fields[name] ?? .null }
        return document
    }

    private func bytes(_ members: [String: JSONValue]) -> [UInt8] {
        var object = JSONObject()
        for (name, value) in members { _ = object.append(name, value) }
        return JSONValue.object(object).serialized()
    }

    private func verify(_ members: [String: JSONValue], _ ledger: SampleLedger) throws(AuditFault) -> VerificationReport
    {
        try DecisionDocument(bytes(members)).verify(by: ledger.signer.verifier)
    }

    private func text(_ ledger: SampleLedger, _ members: [String: JSONValue]) -> String? {
        do throws(AuditFault) {
            _ = try verify(members, ledger)
            return nil
        } catch { return error.description }
    }

    @Test("a genuine answer holds, and what its proof does not cover is named")
    func genuine() throws {
        let ledger = try SampleLedger(10)
        guard case .decision(let findings, let unproved) = try verify(document(ledger), ledger) else {
            Issue.record("it is none of a decision")
            return
        }
        #expect(findings.index == 6)
        #expect(unproved == ["policy", "consentRecord", "interactions", "next"])
    }

    @Test("members that no answer has are named as not proved, however many there are and however they are called")
    func added() throws {
        let ledger = try SampleLedger(10)
        func unproved(_ names: [String]) throws -> [String] {
            var document = try document(ledger)
            for name in names { document[name] = .string("signed by the data protection officer") }
            guard case .decision(_, let unproved) = try verify(document, ledger) else { return [] }
            return Array(unproved.dropFirst(4))
        }
        #expect(try unproved(["recipientName"]) == ["recipientName"])
        let hostile = try unproved(["a\n\u{1B}[2Jb"])
        #expect(hostile.count == 1 && hostile[0].utf8.allSatisfy { $0 >= 0x20 })
        let many = try unproved((0..<1_210).map { "m\($0)" })
        #expect(many.count == 11 && many[10] == "1,200 more")
    }

    @Test("without private fields, whom it was about is not proved")
    func closed() throws {
        let ledger = try SampleLedger(10)
        var document = try document(ledger, isOpen: false)
        document["recipient"] = .string("whoever@example.com")
        guard case .decision(_, let unproved) = try verify(document, ledger) else {
            Issue.record("it is none of a decision")
            return
        }
        #expect(unproved.prefix(4) == ["recipient", "message", "purpose", "consent"])
    }

    @Test(
        "a member that was changed or taken away is named",
        arguments: [
            "id", "decidedAt", "outcome", "reason", "enforcement", "recipient", "message", "purpose",
        ])
    func changed(_ name: String) throws {
        let ledger = try SampleLedger(10)
        for value in [JSONValue.string("other"), .null, nil] {
            var document = try document(ledger)
            document[name] = value
            #expect(text(ledger, document)?.contains("its \(name) is not the value that its proof proves") == true)
        }
    }

    @Test("a consent record that it did not rest on is noticed")
    func consent() throws {
        let ledger = try SampleLedger(10)
        var document = try document(ledger)
        document["consent"] = .string("3357d7d9f4000001")
        #expect(text(ledger, document)?.contains("its consent is not the value that its proof proves") == true)
    }

    @Test("the proof of another decision, of no decision and by another key is none of it")
    func otherProof() throws {
        let ledger = try SampleLedger(10)
        var document = try document(ledger)
        document["proof"] = try self.document(ledger, of: 7)["proof"]
        #expect(text(ledger, document)?.contains("its id is not the value that its proof proves") == true)
        document["proof"] = try self.document(ledger, of: 0)["proof"]
        #expect(text(ledger, document)?.contains("its proof is not that of a decision") == true)
        let stranger = try SampleLedger(10, signer: someSigner(seed: 9))
        #expect(text(stranger, try self.document(ledger)) != nil)
    }

    @Test(
        "what has no proof is no answer about a decision",
        arguments: ["", "{}", "[]", "{\"proof\":null}", "{\"proof\":1}", "{\"proof\":\"x\"", "nonsense"])
    func noDocument(_ text: String) {
        let fault = #expect(throws: AuditFault.self) { try DecisionDocument(Array(text.utf8)) }
        #expect(fault?.description.contains("it is not an answer about a decision with a proof") == true)
    }

    @Test("a proof in it that is none is said to be none")
    func badProof() throws {
        let ledger = try SampleLedger(10)
        var document = try document(ledger)
        document["proof"] = .string("c2sp.org/tlog-proof@v1\n")
        #expect(text(ledger, document) != nil)
    }
}
