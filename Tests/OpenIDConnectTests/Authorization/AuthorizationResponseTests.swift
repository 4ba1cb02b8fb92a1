import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationResponseTests {
    private static let issuer = "https%3A%2F%2Fid.example.com%2Frealms%2Fa"

    private func answer(
        _ query: String, sendsIssuer: Bool = false, now: UnixTime = Sample.now
    ) throws -> AuthorizationResponse {
        let issuer = try #require(SecureURL(Sample.issuer))
        return try AuthorizationResponse(
            query: query, Sample.pending(), issuer: issuer, sendsIssuer: sendsIssuer, now: now)
    }

    @Test(
        "the code of this request's answer is taken, whatever else the provider sends",
        arguments: [
            "state=the-state&code=c%20+%7E", "code=c++~&state=the-state", "state=the%2Dstate&session_state=x&code=c++~",
            "state=the-state&code=c%20%20%7e&iss=\(issuer)",
            "code=c++~&iss=https://id.example.com/realms/a&state=the-state",
        ])
    func taken(_ query: String) throws {
        #expect(try answer(query).code == "c  ~")
    }

    static let refusals: [(query: String, fault: AnswerFault)] = [
        ("", .state), ("code=c", .state), ("state=&code=c", .state), ("state=the-stat&code=c", .state),
        ("state=the-state2&code=c", .state), ("state=The-state&code=c", .state), ("State=the-state&code=c", .state),
        ("state=the-state%00&code=c", .state), ("state=wrong&error=access_denied", .state),
        ("state=wrong&code=c&iss=x", .state),
        ("state=the-state", .code), ("state=the-state&code=", .code), ("state=the-state&code=%C3%A4", .code),
        ("state=the-state&code=a%0Ab", .code), ("state=the-state&code=" + String(repeating: "c", count: 4097), .code),
        ("state=the-state&code=c&code=d", .duplicate), ("state=the-state&state=the-state&code=c", .duplicate),
        ("state=the-state&code=c&iss=\(issuer)&iss=\(issuer)", .duplicate), ("a=1&%61=2", .duplicate),
        ("state=the-state&code=c&x=1&x=1", .duplicate),
        ("state=the-state&code=c&error=server_error", .codeAndError), ("state=the-state&code=&error=x", .codeAndError),
        ("state=the-state&code=c&iss=https%3A%2F%2Fid.example.com%2Frealms%2Fb", .issuer),
        ("state=the-state&code=c&iss=", .issuer), ("state=the-state&code=c&iss=\(issuer)%2F", .issuer),
        ("state=the-state&error=access_denied&iss=x", .issuer),
        ("state", .malformed), ("state=the-state&code", .malformed), ("state=the-state&&code=c", .malformed),
        ("state=the-state&code=c&", .malformed), ("state=the-state&code=%", .malformed),
        ("state=the-state&code=%4", .malformed), ("state=the-state&code=%zz", .malformed),
        ("state=the-state&code=%FF", .malformed), ("state=the-state&code=c d", .malformed),
        ("state=the-state&code=ä", .malformed), ("?state=the-state&code=c#", .state),
        (String(repeating: "a", count: 8193), .tooLong),
        ((0..<33).map { "p\($0)=" }.joined(separator: "&"), .tooLong),
    ]

    @Test("a query that is not the answer to this request is refused", arguments: refusals)
    func refused(_ query: String, _ fault: AnswerFault) {
        #expect(throws: SignInFailure.answer(fault)) { try answer(query) }
    }

    @Test("what answers another request, or none, is told without ending this one", arguments: refusals)
    func another(_ query: String, _ fault: AnswerFault) {
        if [.state, .duplicate, .malformed, .tooLong].contains(fault) {
            #expect(throws: SignInFailure.answer(fault)) { try Sample.pending().mustBeAnswered(by: query) }
        } else {
            #expect(throws: Never.self) { try Sample.pending().mustBeAnswered(by: query) }
        }
    }

    @Test("the issuer must be there when the provider says that it sends it, in errors too")
    func issuerMissing() throws {
        for query in ["state=the-state&code=c", "state=the-state&error=access_denied"] {
            #expect(throws: SignInFailure.answer(.issuerMissing)) { try answer(query, sendsIssuer: true) }
        }
        #expect(try answer("state=the-state&code=c&iss=\(Self.issuer)", sendsIssuer: true).code == "c")
    }

    @Test("a request lives for 10 minutes, and not before it was made")
    func lifetime() throws {
        let madeAt = Sample.pending().madeAt
        #expect(try answer(Sample.query, now: madeAt).code == "the-code")
        #expect(try answer(Sample.query, now: madeAt.advanced(by: 599)).code == "the-code")
        for seconds in [600, 601, -1, Int64.max] {
            #expect(throws: SignInFailure.answer(.expired)) {
                try answer(Sample.query, now: madeAt.advanced(by: seconds))
            }
        }
    }

    @Test("an error of the provider is a refusal with its own reason; its text goes no further")
    func errors() throws {
        for refusal in ProviderRefusal.allCases where refusal != .other {
            #expect(throws: SignInFailure.refused(refusal)) {
                try answer("state=the-state&error=\(refusal.rawValue)&error_description=%3Cscript%3E")
            }
        }
        for text in ["", "Access_Denied", "another+error%00", "x"] {
            #expect(throws: SignInFailure.refused(.other)) { try answer("state=the-state&error=\(text)") }
        }
    }
}
