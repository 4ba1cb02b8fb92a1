public import Foundation

/// A link that signs in to the console once. Its holder has all rights of the operator: do not log it.
public struct SignInLink: Sendable, Hashable, Decodable {
    public let url: String
    public let expiresAt: Date
}
