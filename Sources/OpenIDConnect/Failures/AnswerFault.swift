/// Why the query of the redirect is not an answer.
package enum AnswerFault: String, CaseIterable, Sendable {
    case tooLong = "too long"
    case malformed = "not form-encoded"
    case duplicate = "a parameter is there twice"
    case state = "no state, or another one"
    case expired = "more than 10 minutes after the request"
    case issuerMissing = "no iss, although the provider says that it sends it"
    case issuer = "another iss"
    case code = "no code, or not a code"
    case codeAndError = "both a code and an error"
}
