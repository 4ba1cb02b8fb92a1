import JSON
import Ledger
import LedgerSamples
import Testing

/// A receipt from a stranger: whatever was done to it is found, and named.
@Suite struct ReceiptVerificationTests {
    private let records: SampleRecords
    private let genuine: [UInt8]

    init() throws {
        records = try SampleRecords()
        genuine = try records.receipt(of: SampleRecords.given).bytes
    }

    private func edited(_ old: String, _ new: String) throws -> [UInt8] {
        let text = String(decoding: genuine, as: UTF8.self)
        let edited = text.replacing(old, with: new, maxReplacements: 1)
        try #require(edited != text, "\(old)")
        return Array(edited.utf8)
    }

    private func pointer(_ path: String) -> JSONPointer {
        path.split(separator: "/").reduce(.root) { place, name in
            Int(name).map { place.appending($0) } ?? place.appending(String(name))
        }
    }

    @Test(
        "a genuine one holds and says what it proves",
        arguments: [SampleRecords.given, SampleRecords.withdrawn, SampleRecords.bare])
    func holds(index: Int) throws {
        let receipt = try records.receipt(of: index)
        let findings = try ConsentReceipt.verify(receipt.bytes, by: records.signer.verifier)
        #expect(findings.receipt == receipt)
        #expect(findings.proof.index == UInt64(index))
        #expect(findings.checkpoint.head == records.tree.head)
        #expect(records.fault(receipt.json.serialized()) == nil, "white space says nothing")
    }

    @Test("the order of members says nothing, and a name of the organization is not proved")
    func indifferent() throws {
        #expect(records.fault(try edited(#""party_name": "Acme""#, #""party_name": "Globex""#)) == nil)
        let moved = try edited(
            #""record_id": "3357d7d9f4000010","#, "")
        let text = String(decoding: moved, as: UTF8.self)
            .replacing("\"event\": {", with: "\"record_id\": \"3357d7d9f4000010\",\n\"event\": {")
        #expect(records.fault(Array(text.utf8)) == nil)
    }

    @Test(
        "each word that was changed is named",
        arguments: [
            (#""3357d7d9f4000010""#, "/record_id"), (#""person-0@example.com""#, "/pii_principal_id"),
            (#""privacy""#, "/pii_processing/privacy_notice/id"),
            (#""9f86d081""#, "/pii_processing/privacy_notice/sha256"), (#""fr""#, "/pii_processing/language"),
            (#""tracking""#, "/pii_processing/purposes/0/purpose"),
            (#""acme""#, "/pii_processing/pii_controllers/0/party_id"),
            (#""controller""#, "/pii_processing/pii_controllers/0/party_role"),
            (#""2026-11-21T09:00:00.000Z""#, "/event/event_time"), (#""given""#, "/event/event_state"),
            (#""2026-11-21T09:01:00.000Z""#, "/event/validity_duration"), (#""subject""#, "/event/entity_id"),
            (#""consent-request""#, "/consentlink/method"),
            (#""https://shop.example/account""#, "/consentlink/source"),
            (#""links.example.com/acme""#, "/consentlink/key_name"),
        ])
    func changed(word: String, path: String) throws {
        for other in [#""other""#, "null", "1", "{}", "[]"] {
            #expect(records.fault(try edited(word, other)) == .different(pointer(path)), "\(other)")
        }
    }

    @Test(
        "a word that was taken away is named",
        arguments: [
            (#""record_id": "3357d7d9f4000010","#, "/record_id"), (#""language": "fr","#, "/pii_processing/language"),
            (#""event_state": "given","#, "/event/event_state"),
            (#""party_id": "acme","#, "/pii_processing/pii_controllers/0/party_id"),
            (#""method": "consent-request","#, "/consentlink/method"),
        ])
    func missing(word: String, path: String) throws {
        #expect(records.fault(try edited(word, "")) == .missing(pointer(path)))
    }

    @Test(
        "what was added is found, and none of its text is said",
        arguments: [
            (#""event_state": "given","#, #""event_state": "given", "note": "\u001b[31m","#, "/event"),
            (#""record_id""#, #""x": 1, "record_id""#, ""),
            ("\"purposes\": [", #""purposes": [ {"purpose": "tracking"},"#, "/pii_processing/purposes"),
        ])
    func added(old: String, new: String, path: String) throws {
        let fault = records.fault(try edited(old, new))
        #expect(fault == .surplus(pointer(path)))
        #expect(fault?.description.contains("note") == false)
    }

    @Test("the words of one record do not go with the proof of another")
    func swapped() throws {
        let other = try records.receipt(of: SampleRecords.withdrawn)
        var object = JSONObject()
        guard case .object(let own) = try JSONValue.parse(genuine), case .object(let others) = other.json else {
            Issue.record("no receipt")
            return
        }
        for member in own.members {
            _ = object.append(member.name, (member.name == "consentlink" ? others["consentlink"] : nil) ?? member.value)
        }
        #expect(records.fault(JSONValue.object(object).serialized()) == .different(pointer("/record_id")))
    }

    @Test("a proof of a decision, of an event, and one without private fields is none of a receipt")
    func otherProofs() throws {
        for (item, fault) in [(1, ReceiptFault.notConsent), (0, .notConsent)] {
            let proof = try records.proof(of: item)
            #expect(records.fault(try with(proof.bytes)) == fault)
        }
        let item = records.items[2]
        let closed = LedgerItem(leaf: item.leaf, subject: item.subject, entry: item.entry, opening: nil)
        #expect(records.fault(try with(records.proof(of: 2, closed).bytes)) == .closed)
    }

    @Test("private fields that the entry does not commit to are found")
    func otherFields() throws {
        let (own, other) = (records.items[2], records.items[3])
        let opened = LedgerItem(leaf: own.leaf, subject: own.subject, entry: own.entry, opening: other.opening)
        let proof = try records.proof(of: 2, opened)
        let forged = try ConsentReceipt(proof, organizationName: "Acme")
        guard case .proof(.entry(_, .commitment)) = records.fault(forged.bytes) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test("another key, and the ledger of another organization under the same key, do not hold")
    func otherKeys() throws {
        let name = records.signer.verifier.name
        #expect(
            records.fault(genuine, key: try someSigner(seed: 99).verifier) == .proof(.checkpoint(.notSigned(by: name))))
        let globex = try SampleRecords(origin: "links.example.com/globex")
        let theirs = try globex.receipt(of: SampleRecords.given).bytes
        #expect(globex.fault(theirs) == nil)
        #expect(records.fault(theirs) == .proof(.checkpoint(.notSigned(by: name))))
        #expect(globex.fault(genuine) == .proof(.checkpoint(.notSigned(by: globex.signer.verifier.name))))
    }

    @Test("an organization put in the place of another is found, wherever it stands")
    func otherOrganization() throws {
        let text = String(decoding: genuine, as: UTF8.self)
        #expect(
            records.fault(Array(text.replacing(#""acme""#, with: #""globex""#).utf8))
                == .different(pointer("/pii_processing/pii_controllers/0/party_id")))
        let everywhere = text.replacing("acme", with: "globex").replacing("Acme", with: "Globex")
        guard case .proof(.checkpoint) = records.fault(Array(everywhere.utf8)) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test("what is no receipt, and what is larger or deeper than one, is refused")
    func noReceipt() throws {
        let space = [UInt8](repeating: 0x20, count: ConsentReceipt.maximumLength)
        let doubled = try edited(#""record_id""#, #""record_id": "3357d7d9f4000010", "record_id""#)
        let deep = Array((String(repeating: "[", count: 100_000)).utf8)
        let nested = try edited("\"fr\"", String(repeating: "[", count: 9) + String(repeating: "]", count: 9))
        for (bytes, fault) in [
            (genuine + space, ReceiptFault.tooLong), ([], .form), (Array("[]".utf8), .form), (deep, .form),
            (nested, .form), (doubled, .form), (genuine.dropLast(3), .form), ([0xEF, 0xBB, 0xBF] + genuine, .form),
            (Array("{}".utf8), .schema), (try edited("receipt/1", "receipt/2"), .schema),
            (
                Array(#"{"schema_version":"consentlink-consent-receipt/1"}"#.utf8),
                .missing(pointer("/consentlink/proof"))
            ),
        ] as [([UInt8], ReceiptFault)] {
            #expect(records.fault(Array(bytes)) == fault)
        }
        for proof in ["", "x", TLogProof.header] {
            guard case .proof(.proof) = records.fault(try with(Array(proof.utf8))) else {
                Issue.record("it was taken: \(proof)")
                return
            }
        }
    }

    @Test("every byte that is changed is noticed, but for the name")
    func everyByte() throws {
        let name = try #require(String(decoding: genuine, as: UTF8.self).utf8.firstRange(of: Array(#""Acme""#.utf8)))
        let start = String(decoding: genuine, as: UTF8.self).utf8.distance(
            from: String(decoding: genuine, as: UTF8.self).utf8.startIndex, to: name.lowerBound)
        for position in genuine.indices where !(start..<(start + 6)).contains(position) {
            var changed = genuine
            changed[position] ^= 1
            let isWhite = genuine[position] == 0x20 || genuine[position] == 0x0A
            if !isWhite { #expect(records.fault(changed) != nil, "byte \(position)") }
        }
    }

    /// The genuine receipt around another proof.
    private func with(_ proof: [UInt8]) throws -> [UInt8] {
        let own = try #require(String(validating: try records.proof(of: 2).bytes, as: UTF8.self))
        let (old, new) = (
            JSONValue.string(own).serialized(), JSONValue.string(String(decoding: proof, as: UTF8.self)).serialized()
        )
        return try edited(String(decoding: old, as: UTF8.self), String(decoding: new, as: UTF8.self))
    }
}
