/// Why a document could not be fetched or read.
package enum DocumentFault: Error, Hashable, Sendable {
    case unreachable
    case late
    case tooLarge
    case redirect
    case status(Int)
    case mediaType
    case notJSON
    case duplicateMember
    /// It is JSON of another shape.
    case shape

    var reason: String {
        switch self {
        case .unreachable: "no connection, or it broke"
        case .late: "no complete answer in time"
        case .tooLarge: "larger than allowed"
        case .redirect: "a redirect, which is not followed"
        case .status(let status): "HTTP status \(status)"
        case .mediaType: "its Content-Type is not JSON"
        case .notJSON: "not JSON"
        case .duplicateMember: "a member is there twice"
        case .shape: "a member is missing or has another type than the standard's"
        }
    }
}
