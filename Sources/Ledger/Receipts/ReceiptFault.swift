package import JSON

/// Why a file is no receipt of what its proof proves. No case carries a byte of the file: a place is one that every
/// receipt has.
package enum ReceiptFault: Error, Equatable, CustomStringConvertible {
    case tooLong
    /// No JSON, nested deeper than a receipt is, or with two members of one name.
    case form
    /// Of another form than this version knows.
    case schema
    /// The proof is that of a decision or of an event.
    case notConsent
    /// The proof itself cannot be read or does not hold.
    case proof(AuditFault)
    /// The proof came without the private fields that its entry commits to.
    case closed
    case missing(JSONPointer)
    /// What stands there is not what the proof proves.
    case different(JSONPointer)
    /// A member, or an element, that no receipt has, in the object or array that stands there.
    case surplus(JSONPointer)

    package var description: String {
        switch self {
        case .tooLong: "it is longer than \(ConsentReceipt.maximumLength) bytes"
        case .form: "it is no receipt: not JSON as receipts are"
        case .schema: "its schema_version is not \(ConsentReceipt.schemaVersion), the one that is known here"
        case .notConsent: "its proof is not that of a consent record"
        case .proof(let fault): "\(fault)"
        case .closed: "its proof comes without the private fields that say what was recorded"
        case .missing(let place): "\(place) is missing, which the proof proves"
        case .different(let place): "\(place) is not what the proof proves"
        case .surplus(let place):
            "\(place.description.isEmpty ? "it" : place.description) has something besides what a receipt has there, "
                + "which nothing proves"
        }
    }
}
