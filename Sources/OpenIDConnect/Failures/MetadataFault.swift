/// Why the discovery document is not used.
package enum MetadataFault: String, CaseIterable, Sendable {
    case issuer = "another issuer than the setting"
    case endpoint = "an endpoint is not a URL of https"
    case algorithms = "no signing algorithm that is allowed here"
    case responseType = "the response type code is not offered"
    case challengeMethod = "the code challenge method S256 is not offered"
    case clientAuthentication = "no way of client authentication that this client can use"
}
