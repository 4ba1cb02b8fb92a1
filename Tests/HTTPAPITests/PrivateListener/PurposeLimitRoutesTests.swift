import Consent
import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// What an organization is answered that has consent records for as many purposes as it may.
@Suite struct PurposeLimitRoutesTests {
    private static let path = "/v1/orgs/acme/consents"

    private static func record(_ state: String, _ purpose: String) -> String {
        #"{"recipient":"ana","state":"\#(state)","purpose":"\#(purpose)"}"#
    }

    private func withAll(_ body: (PrivateListenerFixture) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let records = (0..<TooManyPurposes.maximumCount).map { Self.record("given", "purpose-\($0)") }
            let made = try await listener.post(Self.path, "[\(records.joined(separator: ","))]")
            #expect(made.status == 201)
            try await body(listener)
        }
    }

    @Test("a grant for one more is named, and those that are there, and every no, are recorded")
    func records() async throws {
        try await withAll { listener in
            let one = try await listener.post(Self.path, Self.record("given", "new"))
            #expect(one.status == 422 && one.pointers == ["/purpose"])
            #expect(one.body.contains("1000 purposes"))
            let known = Self.record("given", "purpose-999")
            let list = try await listener.post(Self.path, "[\(known),\(Self.record("given", "new"))]")
            #expect(list.status == 422 && list.pointers == ["/1/purpose"])
            #expect(try await listener.post(Self.path, "[\(known)]").status == 201)
            for state in ["refused", "withdrawn", "revoked", "invalidated"] {
                #expect(try await listener.post(Self.path, Self.record(state, "no-\(state)")).status == 201)
            }
            let mixed = "[\(Self.record("withdrawn", "new")),\(Self.record("given", "newer"))]"
            #expect(try await listener.post(Self.path, mixed).status == 201)
            let erased = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#)
            #expect(erased.status == 200)
        }
    }

    @Test("of lines, a grant for one more is refused, and the others are recorded")
    func lines() async throws {
        try await withAll { listener in
            let lines = [("given", "new"), ("given", "purpose-3"), ("withdrawn", "other"), ("given", "newer")]
            let answer = try await listener.post(
                Self.path, lines.map { Self.record($0.0, $0.1) + "\n" }.joined(), type: "application/x-ndjson")
            #expect(answer.status == 200)
            #expect(answer.lines.map { $0["error"] != nil } == [true, false, false, true])
            #expect(answer.lines.first?["error"]?["errors"]?.items.first?["pointer"]?.text == "/purpose")
        }
    }

    @Test("a no makes room for a yes behind it, whether both come together or not", arguments: [true, false])
    func order(together: Bool) async throws {
        try await withAll { listener in
            let lines = [("given", "aa"), ("refused", "aa"), ("given", "aa")].map { Self.record($0.0, $0.1) + "\n" }
            var refused: [Bool] = []
            for body in together ? [lines.joined()] : lines {
                let answer = try await listener.post(Self.path, body, type: "application/x-ndjson")
                refused += answer.lines.map { $0["error"] != nil }
            }
            #expect(refused == [true, false, false])
        }
    }

    @Test("a consent request for one more purpose is refused, and one for known purposes is not")
    func asking() async throws {
        try await withAll { listener in
            func ask(_ purposes: String) async throws -> ListenerAnswer {
                try await listener.post(
                    "/v1/orgs/acme/consent-requests",
                    #"{"recipient":"bo","purposes":\#(purposes),"#
                        + #""notice":{"id":"n","version":"1","language":"en","text":"May we?"}}"#)
            }
            let refused = try await ask(#"["purpose-1","new"]"#)
            #expect(refused.status == 422 && refused.pointers == ["/purposes/1"])
            #expect(try await ask(#"["purpose-1"]"#).status == 201)
        }
    }
}
