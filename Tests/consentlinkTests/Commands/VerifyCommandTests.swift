import Consent
import Ledger
import LedgerSamples
import TestSupport
import Testing

@testable import consentlink

/// `verify` as an auditor runs it.
@Suite struct VerifyCommandTests {
    @Test("verify says what holds with 0, and what does not with 1")
    func verify() async throws {
        let ledger = try SampleLedger(300)
        let key = ledger.signer.verifier.description
        try await TemporaryFolder.with { folder in
            let export = try ledger.export()
            try folder.write(export, to: "whole.tar")
            try folder.write(Array(export.dropLast(4096)), to: "cut.tar")
            try folder.write(try #require(try ledger.proof(of: 6)).bytes, to: "one.proof")
            let earlier = try SampleLedger(300, signer: someSigner(seed: 9))
            try folder.write(earlier.checkpoint.note.bytes, to: "stranger.txt")
            try folder.write(ledger.checkpoint.note.bytes, to: "since.txt")
            let cases: [(words: [String], status: Int32, output: String, errors: String)] = [
                (["whole.tar", "--whole"], 0, "whole.tar holds.\n", ""),
                (["whole.tar", "--json"], 0, #"{"holds":true,"kind":"export""#, ""),
                (["cut.tar"], 1, "", "consentlink: cut.tar does not hold: "),
                (["cut.tar", "--json"], 1, #"{"holds":false,"reason":""#, "consentlink: cut.tar does not hold: "),
                (["one.proof"], 0, "one.proof holds.\n", ""),
                (
                    ["one.proof", "--whole"], 1, "one.proof holds, but is not a whole export.\n",
                    "consentlink: one.proof is not a whole export, as --whole demands\n"
                ),
                (
                    ["one.proof", "--whole", "--json"], 1,
                    #"{"holds":false,"reason":"it is not a whole export, as --whole demands","kind":"proof""#,
                    "consentlink: one.proof is not a whole export, as --whole demands\n"
                ),
                (["one.proof", "--since", "since.txt"], 2, "", "consentlink: --since goes with audit exports"),
                (["whole.tar", "--since", "stranger.txt"], 2, "", "consentlink: --since: "),
                (["whole.tar", "--since", "since.txt"], 0, "whole.tar holds.\n", ""),
                (["nowhere.tar"], 2, "", "consentlink: cannot read nowhere.tar: No such file or directory\n"),
            ]
            for (words, status, output, errors) in cases {
                let done = try await CommandRun.of(["verify"] + words + ["--key", key], in: folder)
                #expect(done.status == status, "\(words)")
                #expect(output.isEmpty ? done.output.isEmpty : done.output.hasPrefix(output), "\(words)")
                #expect(errors.isEmpty ? done.errors.isEmpty : done.errors.hasPrefix(errors), "\(words)")
            }
            let stranger = try await CommandRun.of(
                ["verify", "whole.tar", "--key", earlier.signer.verifier.description], in: folder)
            #expect(stranger.status == 1)
        }
    }

    @Test("verify takes an export from standard input")
    func verifyInput() async throws {
        let ledger = try SampleLedger(10)
        try await TemporaryFolder.with { folder in
            let proof = String(decoding: try #require(try ledger.proof(of: 6)).bytes, as: UTF8.self)
            let done = try await CommandRun.of(
                ["verify", "-", "--key", ledger.signer.verifier.description], input: proof, in: folder)
            #expect(done.status == 0)
            #expect(done.output.hasPrefix("- holds.\n"))
        }
    }

    @Test("decisions that do not follow from what is before them are listed on standard error")
    func exceptions() async throws {
        var ledger = try SampleLedger(10)
        ledger.rows[2].reason = .consentGiven
        let entered = try ledger.entered()
        try await TemporaryFolder.with { folder in
            try folder.write(try entered.export(), to: "x.tar")
            let done = try await CommandRun.of(
                ["verify", "x.tar", "--key", entered.signer.verifier.description], in: folder)
            #expect(done.status == 1)
            #expect(done.output.hasPrefix("x.tar DOES NOT HOLD.\n"))
            #expect(
                done.errors.contains("1 decision does not follow from the entries before it\n  entry 6 (decision "))
        }
    }
}
