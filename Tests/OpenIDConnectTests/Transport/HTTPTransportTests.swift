import AsyncHTTPClient
import StubService
import Testing

@testable import OpenIDConnect

@Suite struct HTTPTransportTests {
    private func send(
        _ base: String, path: String = "/a?b=c", longest: Int = 1000, timeout: Duration = .seconds(10)
    ) async throws -> ProviderResponse {
        let url = try #require(SecureURL(base + path))
        return try await HTTPTransport().send(
            ProviderRequest(form: nil, url: url, authorization: nil, maximumAnswerSize: longest, timeout: timeout))
    }

    @Test("a request is sent as it is, and its answer is taken whole")
    func answer() async throws {
        try await StubServer.with({ request, _ in .json(#"{"got":"\#(request.body)"}"#, status: 201) }) { server in
            let url = try #require(SecureURL(server.base + "/token"))
            let response = try await HTTPTransport().send(
                .post("a=b", to: url, authorization: "Basic x", maximumAnswerSize: 100))
            #expect(response.status == 201)
            #expect(response.contentType == "application/json")
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"got":"a=b"}"#)
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /token")
            #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(request.headers["authorization"] == "Basic x")
            #expect(request.headers["accept"] == "application/json")
        }
    }

    @Test("a redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) async throws {
        try await StubServer.with({ _, _ in .json("{}") }) { elsewhere in
            let reply = StubServer.Reply(status: status, headers: [("Location", elsewhere.base)])
            try await StubServer.with({ _, _ in reply }) { server in
                let answer = try await send(server.base)
                #expect(answer.status == status)
            }
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("an answer of more bytes than allowed is given up, one of as many is taken")
    func size() async throws {
        try await StubServer.with({ _, _ in .json(String(repeating: "a", count: 1000)) }) { server in
            let answer = try await send(server.base)
            #expect(answer.body.count == 1000)
            await #expect(throws: TransportFailure.tooLarge) { try await send(server.base, longest: 999) }
        }
    }

    @Test("an answer that does not end is given up in time")
    func slow() async throws {
        var plan = LineService.Plan()
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            _ = await #expect(throws: TransportFailure.late) { try await send(base, timeout: .milliseconds(200)) }
        }
    }

    @Test("a connection that breaks, or that there is none, is no answer, and nothing is sent twice")
    func broken() async throws {
        for reply in [StubServer.Reply(body: "{", breaksOff: true), StubServer.Reply(isSilent: true)] {
            try await StubServer.with({ _, _ in reply }) { server in
                await #expect(throws: TransportFailure.unreachable) { try await send(server.base) }
                #expect(server.requests.count == 1)
            }
        }
        let nowhere = try await StubServer.nowhere()
        await #expect(throws: TransportFailure.unreachable) { try await send(nowhere) }
    }

    @Test(
        "what took too long is late, also where other requests had all connections",
        arguments: [
            (.getConnectionFromPoolTimeout, .late), (.connectTimeout, .late), (.deadlineExceeded, .late),
            (.remoteConnectionClosed, .unreachable),
        ] as [(HTTPClientError, TransportFailure)])
    func failures(_ error: HTTPClientError, _ failure: TransportFailure) {
        #expect(TransportFailure(error) == failure)
    }
}
