import Identifiers
package import JSON

/// A file for a recipient about one of their answers: the consent record in the terms of ISO/IEC TS 27560, and the
/// proof that the ledger has it (docs/formats/consent-receipt.md).
///
/// Every word follows from the proof, except the name of the organization. So the service and the verifier both make
/// the receipt from a proof, and a comparison finds a file that says anything else.
package struct ConsentReceipt: Equatable, Sendable {
    /// In bytes. More than the receipt of any record, whose evidence has at most a few kB for each member.
    package static let maximumLength = 1 << 20
    static let schemaVersion = "consentlink-consent-receipt/1"

    package let proof: TLogProof
    /// The name that the service knew when it made the receipt. No ledger has it.
    package let organizationName: String
    package let json: JSONValue

    /// - Parameter proof: must be of the entry of a consent record, with its private fields. Nothing is verified here.
    package init(_ proof: TLogProof, organizationName: String) throws(ReceiptFault) {
        let record = try ReceiptRecord(proof)
        self.proof = proof
        self.organizationName = organizationName
        json = record.words(organizationName: organizationName, proof: proof.bytes)
    }

    /// The file: UTF-8, indented for reading.
    package var bytes: [UInt8] { json.indented() }
}
