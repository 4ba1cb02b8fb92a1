/// Why a text is not a valid identifier.
///
/// Its description names the rule and never repeats the text, so it can be shown to any client.
package enum IdentifierError: Error, Equatable, CustomStringConvertible {
    case organizationID
    case recipientEmpty
    case recipientTooLong
    case recipientHasControlCharacter
    case purpose
    case number
    case linkIndex
    case timestamp

    package var description: String {
        switch self {
        case .organizationID:
            "must be 1 to \(OrganizationID.maximumLength) characters of A-Z a-z 0-9 . _ - and not only dots"
        case .recipientEmpty: "must not be empty"
        case .recipientTooLong: "must be at most \(RecipientID.maximumLength) bytes of UTF-8"
        case .recipientHasControlCharacter: "must not contain control characters"
        case .purpose: "must be 1 to \(Purpose.maximumLength) characters of a-z 0-9 . -"
        case .number: "is not an id of this service"
        case .linkIndex: "must be a link index from 0 to 65535"
        case .timestamp: "must be an RFC 3339 time such as 2026-11-20T09:00:00.000Z"
        }
    }
}
