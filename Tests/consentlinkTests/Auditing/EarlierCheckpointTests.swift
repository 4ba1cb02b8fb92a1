import Ledger
import LedgerSamples
import TestSupport
import Testing

@testable import consentlink

@Suite struct EarlierCheckpointTests {
    private let ledger: SampleLedger

    init() throws { ledger = try SampleLedger(300) }

    @Test("the checkpoint of a note or of a proof is taken")
    func taken() throws {
        try TemporaryFolder.with { folder in
            let proof = try #require(try ledger.proof(of: 6))
            for bytes in [ledger.checkpoint.bytes, proof.bytes] {
                let read = try EarlierCheckpoint.read(folder.write(bytes, to: "f"), by: ledger.signer.verifier)
                #expect(read.bytes == ledger.checkpoint.bytes)
            }
        }
    }

    @Test("the checkpoint of a proof is not taken if the proof's entry is not in the tree")
    func wrongProof() throws {
        try TemporaryFolder.with { folder in
            let (entry, place) = (try #require(try ledger.proof(of: 6)), try #require(try ledger.proof(of: 7)))
            let proof = TLogProof(extra: entry.extra, inclusion: place.inclusion, note: entry.note)
            let path = try folder.write(proof.bytes, to: "f")
            let failure = try #require(throws: CommandFailure.self) {
                try EarlierCheckpoint.read(path, by: ledger.signer.verifier)
            }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasPrefix("consentlink: --since: "))
        }
    }
}
