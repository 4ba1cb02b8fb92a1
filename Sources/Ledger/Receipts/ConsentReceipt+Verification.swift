import JSON

extension ConsentReceipt {
    /// More than the depth of any receipt.
    private static let limits = JSONLimits(depth: 8)

    private static let claim = Array(#""schema_version""#.utf8)

    /// Whether a document claims to be a receipt, of any version, even if it cannot be read.
    package static func isClaimed(by document: [UInt8]) -> Bool { document.firstRange(of: claim) != nil }

    /// Verifies a receipt from an untrusted source: that the key signed the checkpoint of its proof, that the consent
    /// record is in that tree and commits to the private fields, and that every word of the receipt follows from them.
    /// The name of the organization does not.
    package static func verify(_ bytes: [UInt8], by key: VerifierKey) throws(ReceiptFault) -> ReceiptFindings {
        guard bytes.count <= maximumLength else { throw .tooLong }
        guard let found = try? JSONValue.parse(bytes, limits: limits), case .object = found else { throw .form }
        guard found.member("schema_version") == .string(schemaVersion) else { throw .schema }
        guard case .string(let text) = found.member("consentlink")?.member("proof") else {
            throw .missing(.root.appending("consentlink").appending("proof"))
        }
        let (proof, findings, checkpoint) = try verify(proof: text, by: key)
        let receipt = try ConsentReceipt(proof, organizationName: name(in: found))
        if let fault = receipt.json.fault(in: found, at: .root) { throw fault }
        return ReceiptFindings(receipt: receipt, proof: findings, checkpoint: checkpoint)
    }

    private static func verify(
        proof text: String, by key: VerifierKey
    ) throws(ReceiptFault) -> (TLogProof, ProofFindings, SignedCheckpoint) {
        let proof: TLogProof
        do throws(LedgerError) { proof = try TLogProof(Array(text.utf8)) } catch { throw .proof(.proof(error)) }
        let findings: ProofFindings
        do throws(AuditFault) { findings = try proof.verify(by: key) } catch { throw .proof(error) }
        do throws(LedgerError) { return (proof, findings, try SignedCheckpoint(proof.note, by: key)) } catch {
            throw .proof(.checkpoint(error))
        }
    }

    /// The name of the first controller; empty if there is none, which the comparison then finds.
    private static func name(in document: JSONValue) -> String {
        guard case .array(let controllers) = document.member("pii_processing")?.member("pii_controllers"),
            case .string(let name) = controllers.first?.member("party_name")
        else { return "" }
        return name
    }
}

extension JSONValue {
    /// The first place at which `found` differs from this value. The order of members does not matter.
    fileprivate func fault(in found: JSONValue, at place: JSONPointer) -> ReceiptFault? {
        switch (self, found) {
        case (.object(let own), .object(let others)):
            for member in own.members {
                let place = place.appending(member.name)
                guard let other = others[member.name] else { return .missing(place) }
                if let fault = member.value.fault(in: other, at: place) { return fault }
            }
            return others.count == own.count ? nil : .surplus(place)
        case (.array(let own), .array(let others)):
            for (index, element) in own.enumerated() {
                let place = place.appending(index)
                guard index < others.count else { return .missing(place) }
                if let fault = element.fault(in: others[index], at: place) { return fault }
            }
            return others.count == own.count ? nil : .surplus(place)
        default: return self == found ? nil : .different(place)
        }
    }
}
