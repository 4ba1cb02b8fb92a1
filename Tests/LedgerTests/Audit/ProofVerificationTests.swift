import Consent
import Ledger
import LedgerSamples
import Testing

@Suite("Verifying proofs of entries")
struct ProofVerificationTests {
    private func proof(of index: Int, in ledger: SampleLedger, _ item: LedgerItem? = nil) throws -> TLogProof {
        try #require(try ledger.proof(of: index, item))
    }

    private func fault(_ proof: TLogProof, _ key: VerifierKey) -> AuditFault? {
        do throws(AuditFault) {
            _ = try proof.verify(by: key)
            return nil
        } catch { return error }
    }

    @Test("a genuine one says what it proves", arguments: [0, 1, 5, 299])
    func genuine(index: Int) throws {
        let ledger = try SampleLedger(300)
        let item = try ledger.items()[index]
        let findings = try TLogProof(proof(of: index, in: ledger).bytes).verify(by: ledger.signer.verifier)
        #expect(findings.index == UInt64(index))
        #expect(findings.entry == item.entry)
        #expect(findings.fields == item.opening?.fields)
        #expect(findings.checkpoint == ledger.checkpoint.checkpoint)
    }

    @Test("one of another entry does not hold, nor one with a field changed")
    func anotherEntry() throws {
        var ledger = try SampleLedger(300)
        let key = ledger.signer.verifier
        let another = try proof(of: 10, in: ledger, ledger.items()[11])
        guard case .notIncluded(let place) = fault(another, key) else {
            Issue.record("it was taken")
            return
        }
        #expect(place.index == 10)
        ledger.rows[6].reason = .notOptedOut
        let changed = try proof(of: 10, in: ledger)
        guard case .notIncluded = fault(changed, key) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test("private fields or a salt that are not those committed to do not hold")
    func opening() throws {
        let ledger = try SampleLedger(300)
        let key = ledger.signer.verifier
        let (one, other) = (try ledger.items()[10], try ledger.items()[11])
        let (own, foreign) = (try #require(one.opening), try #require(other.opening))
        for opening in [
            LedgerItem.Opening(salt: foreign.salt, fields: own.fields),
            LedgerItem.Opening(salt: own.salt, fields: foreign.fields), foreign,
        ] {
            let wrong = try proof(of: 10, in: ledger, one.opened(by: opening))
            #expect(fault(wrong, key)?.entry?.fault == .commitment)
        }
        let without = try proof(of: 10, in: ledger, one.opened(by: nil))
        #expect(fault(without, key) == nil)
    }

    @Test("another key, no entry and an entry in another form do not hold")
    func others() throws {
        let ledger = try SampleLedger(300)
        let proof = try proof(of: 10, in: ledger)
        #expect(
            fault(proof, try someSigner(seed: 99).verifier) == .checkpoint(.notSigned(by: ledger.signer.verifier.name)))
        for extra in [nil, [], Array("{}".utf8), proof.extra.map { $0 + [0x20] }] {
            let changed = TLogProof(extra: extra, inclusion: proof.inclusion, note: proof.note)
            #expect(fault(changed, ledger.signer.verifier) != nil)
        }
    }

    @Test("every bit of one that is changed is noticed")
    func everyBit() throws {
        let ledger = try SampleLedger(6)
        let bytes = try proof(of: 4, in: ledger).bytes
        var read = 0
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            guard let proof = try? TLogProof(changed) else { continue }
            read += 1
            #expect(fault(proof, ledger.signer.verifier) != nil, "bit \(bit)")
        }
        #expect(read > 0, "some are read, and their fault is found by what they say")
    }
}
