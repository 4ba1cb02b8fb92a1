import Identifiers
package import JSON

/// What a person keeps of an answer of theirs: the consent record in the words of ISO/IEC TS 27560, and the proof that
/// the ledger has it (docs/formats/consent-receipt.md).
///
/// Every word follows from the proof, except the name of the organization. So the service and the verifier both make
/// it from a proof, and a file that says anything else is found by comparing.
package struct ConsentReceipt: Equatable, Sendable {
    /// In bytes. Longer than the receipt of any record, whose evidence has a few kB at most a member.
    package static let maximumLength = 1 << 20
    static let schemaVersion = "consentlink-consent-receipt/1"

    package let proof: TLogProof
    /// As the service knew it when it made the receipt. No ledger has it.
    package let organizationName: String
    package let json: JSONValue

    /// - Parameter proof: whose entry is that of a consent record, with its private fields. Nothing is verified here.
    package init(_ proof: TLogProof, organizationName: String) throws(ReceiptFault) {
        let record = try ReceiptRecord(proof)
        self.proof = proof
        self.organizationName = organizationName
        json = record.words(organizationName: organizationName, proof: proof.bytes)
    }

    /// The file: UTF-8, indented for people.
    package var bytes: [UInt8] { json.indented() }
}
