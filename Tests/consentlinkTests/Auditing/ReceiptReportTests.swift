import Consent
import Identifiers
import JSON
import Ledger
import LedgerSamples
import TestSupport
import Testing

@testable import consentlink

/// What `verify` says of a person's receipt, in words and as JSON.
@Suite struct ReceiptReportTests {
    /// The receipt of the only consent record of a ledger.
    private func receipt(_ ledger: SampleLedger) throws -> ConsentReceipt {
        try ConsentReceipt(try #require(try ledger.proof(of: 0)), organizationName: "Acme")
    }

    private func verify(
        _ ledger: SampleLedger, in folder: TemporaryFolder, _ arguments: String...
    ) async throws -> CommandRun {
        try await CommandRun.of(
            ["verify"] + arguments + ["--key", ledger.signer.verifier.description], in: folder)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("one that holds is told in words: who, what, when, and what is not proved")
    func words() async throws {
        try await TemporaryFolder.with { folder in
            let ledger = try SampleLedger(10)
            try folder.write(text(receipt(ledger).bytes), to: "consent-receipt.json")
            let done = try await verify(ledger, in: folder, "consent-receipt.json")
            #expect(done.status == 0, "\(done.errors)")
            for line in [
                "consent-receipt.json holds.", "ledger      links.example.com/acme",
                "record      3357d7d9f4000001, entry 0", "person      ana@example.com", "purpose     tracking",
                "answer      given at 2026-11-21T09:00:00.000Z (recorded at 2026-11-21T09:00:00.000Z)",
                "not proved  the organization's name, Acme: no ledger has it",
                "extent      one consent record; it does not show later answers",
            ] {
                #expect(done.output.contains(line + "\n"), "\(line)")
            }
            let json = try JSONValue.parse(
                Array(try await verify(ledger, in: folder, "consent-receipt.json", "--json").output.utf8))
            #expect(json["holds"] == .bool(true))
            #expect(json["kind"] == .string("receipt"))
            #expect(json["private"]?["recipient"] == .string("ana@example.com"))
            #expect(json["unproved"]?.elements == [.string("/pii_processing/pii_controllers/0/party_name")])
        }
    }

    @Test("one that does not is told with 1, by the place, and nothing of it moves the terminal")
    func edited() async throws {
        try await TemporaryFolder.with { folder in
            let ledger = try SampleLedger(10)
            let genuine = text(try receipt(ledger).bytes)
            try folder.write(genuine.replacing(#""given""#, with: #""withdrawn""#), to: "edited.json")
            let done = try await verify(ledger, in: folder, "edited.json")
            #expect(done.status == 1)
            let fault = "/event/event_state is not the value that the proof proves"
            #expect(done.errors == "consentlink: edited.json does not hold: \(fault)\n")
            try folder.write(genuine.replacing("\"Acme\"", with: "\"\\u001b[31m\""), to: "colour.json")
            let named = try await verify(ledger, in: folder, "colour.json")
            #expect(named.status == 0)
            #expect(named.output.contains("name, \\u{1B}[31m: no ledger"))
            try folder.write(#"{"schema_version":"2"}"#, to: "later.json")
            #expect(try await verify(ledger, in: folder, "later.json").errors.contains("its schema_version is not"))
        }
    }

    @Test("a checkpoint of the same tree is compared, one of another tree as large contradicts it")
    func since() async throws {
        try await TemporaryFolder.with { folder in
            let (ledger, other) = (try SampleLedger(10), try SampleLedger(10, seed: 2))
            try folder.write(text(receipt(ledger).bytes), to: "r.json")
            for (name, checkpoint) in [
                ("same", ledger.checkpoint), ("forked", other.checkpoint), ("larger", try SampleLedger(11).checkpoint),
            ] {
                try folder.write(text(checkpoint.bytes), to: name)
            }
            let same = try await verify(ledger, in: folder, "r.json", "--since", "same")
            #expect(same.status == 0 && same.output.contains("leads to the same tree as your checkpoint"))
            let forked = try await verify(ledger, in: folder, "r.json", "--since", "forked")
            #expect(forked.status == 1 && forked.errors.contains("The ledger was rewritten"))
            let larger = try await verify(ledger, in: folder, "r.json", "--since", "larger")
            #expect(larger.status == 2 && larger.errors.contains("verify an export with --since and the receipt"))
        }
    }

    @Test("an export is held to a receipt: the ledger still has what it proves, or was rewritten")
    func export() async throws {
        try await TemporaryFolder.with { folder in
            let (early, late, rewritten) = (try SampleLedger(10), try SampleLedger(40), try SampleLedger(40, seed: 2))
            try folder.write(text(receipt(early).bytes), to: "r.json")
            try folder.write(try late.export(), to: "late.tar")
            try folder.write(try rewritten.export(), to: "rewritten.tar")
            let held = try await verify(late, in: folder, "late.tar", "--since", "r.json")
            #expect(held.status == 0, "\(held.errors)")
            #expect(held.output.contains("continues your checkpoint of 10 entries"))
            let proof = try #require(try early.proof(of: 0))
            try folder.write(text(proof.bytes), to: "proof.txt")
            #expect(try await verify(late, in: folder, "late.tar", "--since", "proof.txt").status == 0)
            let refused = try await verify(late, in: folder, "rewritten.tar", "--since", "r.json")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("does not begin with the 10 entries of your checkpoint"))
            try folder.write(text(try receipt(early).bytes).replacing("given", with: "refused"), to: "edited.json")
            let edited = try await verify(late, in: folder, "late.tar", "--since", "edited.json")
            #expect(edited.status == 2 && edited.errors.contains("--since: /event/event_state"))
        }
    }
}
