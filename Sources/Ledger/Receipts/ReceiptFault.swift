package import JSON

/// Why a file is not the receipt that follows from its proof. No case carries a byte of the file: a place is one that
/// every receipt has.
package enum ReceiptFault: Error, Equatable, CustomStringConvertible {
    case tooLong
    /// Not JSON, nested deeper than a receipt, or an object has two members with one name.
    case form
    /// Of a schema that this version does not know.
    case schema
    /// The proof is of another entry than a consent record.
    case notConsent
    /// The proof cannot be read or is not valid.
    case proof(AuditFault)
    /// The proof came without the private fields of its entry.
    case closed
    case missing(JSONPointer)
    /// The value at this place differs from what the proof proves.
    case different(JSONPointer)
    /// The object or array at this place has a member or an element that no receipt has.
    case surplus(JSONPointer)

    package var description: String {
        switch self {
        case .tooLong: "it is longer than \(ConsentReceipt.maximumLength) bytes"
        case .form: "it is not a receipt: it does not have the JSON of receipts"
        case .schema: "its schema_version is not \(ConsentReceipt.schemaVersion), the one that is known here"
        case .notConsent: "its proof is not that of a consent record"
        case .proof(let fault): "\(fault)"
        case .closed: "its proof comes without the private fields of the record"
        case .missing(let place): "the proof proves \(place), which is missing"
        case .different(let place): "\(place) is not the value that the proof proves"
        case .surplus(let place):
            "\(place.description.isEmpty ? "it" : place.description) has more than a receipt has there, "
                + "which nothing proves"
        }
    }
}
