import JSON
import Ledger
import Testing

@Suite struct ConsentReceiptTests {
    private func text(_ receipt: ConsentReceipt) throws -> String {
        let proof = try #require(String(validating: receipt.proof.bytes, as: UTF8.self))
        let written = JSONValue.string(proof).serialized()
        return String(decoding: receipt.bytes, as: UTF8.self)
            .replacing(String(decoding: written, as: UTF8.self), with: "PROOF")
    }

    @Test("it has every word that the record has, in the words of the standard")
    func full() throws {
        let records = try SampleRecords()
        #expect(
            try text(records.receipt(of: SampleRecords.given)) == """
                {
                  "schema_version": "consentlink-consent-receipt/1",
                  "record_id": "3357d7d9f4000010",
                  "pii_principal_id": "person-0@example.com",
                  "pii_processing": {
                    "privacy_notice": {
                      "id": "privacy",
                      "version": "3",
                      "sha256": "9f86d081"
                    },
                    "language": "fr",
                    "purposes": [
                      {
                        "purpose": "tracking"
                      }
                    ],
                    "pii_controllers": [
                      {
                        "party_id": "acme",
                        "party_name": "Acme",
                        "party_role": "controller"
                      }
                    ]
                  },
                  "event": {
                    "event_time": "2026-11-21T09:00:00.000Z",
                    "event_state": "given",
                    "validity_duration": "2026-11-21T09:01:00.000Z",
                    "entity_id": "subject"
                  },
                  "consentlink": {
                    "recorded_at": "2026-11-21T09:00:00.000Z",
                    "method": "consent-request",
                    "source": "https://shop.example/account",
                    "key_name": "links.example.com/acme",
                    "proof": PROOF
                  }
                }

                """)
    }

    @Test("what was not recorded is left out")
    func bare() throws {
        let text = try text(SampleRecords().receipt(of: SampleRecords.bare))
        for name in ["privacy_notice", "language", "validity_duration", "entity_id", "method", "source", "null"] {
            #expect(!text.contains("\"\(name)\""), "\(name)")
        }
        #expect(text.contains(#""event_state": "refused""#))
    }

    @Test("no other person's name and no other record stands in it, nor in its proof")
    func others() throws {
        let receipt = try SampleRecords().receipt(of: SampleRecords.withdrawn)
        let whole = String(decoding: receipt.bytes + (receipt.proof.extra ?? []), as: UTF8.self)
        #expect(whole.contains("person-1@example.com"))
        for other in ["person-0", "person-2", "3357d7d9f4000010", "3357d7d9f4000012"] {
            #expect(!whole.contains(other), "\(other)")
        }
    }

    @Test("there is none of a decision, of an event, and of a record whose person was erased")
    func none() throws {
        let records = try SampleRecords()
        for index in [0, 1] {
            #expect(throws: ReceiptFault.notConsent) { try records.receipt(of: index) }
        }
        let closed = try records.proof(
            of: SampleRecords.withdrawn,
            LedgerItem(
                leaf: 3, subject: records.items[3].subject, entry: records.items[3].entry, opening: nil))
        #expect(throws: ReceiptFault.closed) { try ConsentReceipt(closed, organizationName: "Acme") }
    }
}
