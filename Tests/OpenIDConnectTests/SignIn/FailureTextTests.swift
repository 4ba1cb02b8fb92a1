import Testing

@testable import OpenIDConnect

@Suite struct FailureTextTests {
    static let failures: [SignInFailure] =
        ProviderDocument.allCases.flatMap { document in
            [
                .unreachable, .late, .tooLarge, .redirect, .status(500), .mediaType, .notJSON, .duplicateMember, .shape,
            ].map { SignInFailure.document(document, $0) }
        } + MetadataFault.allCases.map(SignInFailure.metadata) + AnswerFault.allCases.map(SignInFailure.answer)
        + ProviderRefusal.allCases.map(SignInFailure.refused) + TokenRefusal.allCases.map(SignInFailure.codeRefused)
        + TokenFault.allCases.map(SignInFailure.token)
        + [try? Sample.ana].compactMap(\.self).flatMap { [SignInFailure.noRole($0), .unreadableRoles($0)] }

    @Test("each failure has a reason of its own, and a sentence for strangers that says less")
    func texts() {
        #expect(Set(Self.failures.map(\.reason)).count == Self.failures.count)
        for failure in Self.failures {
            #expect(failure.description.hasSuffix("."))
            #expect(!failure.reason.contains("\n"))
        }
        #expect(Set(Self.failures.map(\.description)).count == 7)
    }

    @Test("which check of a token failed is not told to a stranger")
    func alike() {
        #expect(Set(TokenFault.allCases.map { SignInFailure.token($0).description }).count == 1)
    }

    @Test("an outage of the provider is told from what a browser brought")
    func outages() {
        for failure in Self.failures {
            let isOutage =
                switch failure {
                case .metadata, .document(.discovery, _), .document(.keys, _): true
                case .document(.token, _), .token(.missing): true
                case .refused(.serverError), .refused(.temporarilyUnavailable): true
                case .codeRefused(.serverError), .codeRefused(.temporarilyUnavailable): true
                default: false
                }
            #expect(failure.isOutage == isOutage, "\(failure.reason)")
        }
        for status in [400, 401, 403] { #expect(!SignInFailure.document(.token, .status(status)).isOutage) }
        for status in [404, 429, 503] { #expect(SignInFailure.document(.token, .status(status)).isOutage) }
    }
}
