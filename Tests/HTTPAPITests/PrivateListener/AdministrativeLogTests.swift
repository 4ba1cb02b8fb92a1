import HTTPTypes
import SQL
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// The lines that an operator reads about who did what.
@Suite struct AdministrativeLogTests {
    private func lines(_ listener: PrivateListenerFixture) -> [String] {
        listener.log.all.filter { $0.hasPrefix("administrative act ") }
            .map { String($0.dropFirst("administrative act ".count)) }
    }

    /// Does every act on an endpoint. Returns its id.
    private func endpoint(_ listener: PrivateListenerFixture, _ owner: String) async throws -> String {
        let path = "/v1/orgs/acme/endpoints"
        let new = #"{"url":"https://secret.example/","kinds":["consent.recorded"]}"#
        let id = try await listener.post(path, new, key: owner)["id"]?.text ?? ""
        let one = "\(path)/\(id)"
        _ = try await listener.ask(.patch, one, pieces: [#"{"url":"https://secret.example/x"}"#], key: owner)
        for act in ["test", "disable", "enable", "secret"] {
            _ = try await listener.post("\(one)/\(act)", "", key: owner)
        }
        _ = try await listener.post("\(one)/replay", #"{"after":"0"}"#, key: owner)
        _ = try await listener.ask(.delete, one, pieces: [], key: owner, type: nil)
        return id
    }

    @Test("every act has one line with what it was about, and none says whom, which key or where to")
    func everyAct() async throws {
        try await PrivateListenerFixture.with { listener in
            let owner = try await listener.organization()
            let by = try await listener.get("/v1/orgs/acme/keys")["keys"]?.items.first?["id"]?.text ?? ""
            let change = #"{"name":"Secret Ltd","targetHosts":["secret.example"],"enforcement":"nonRestrictive"}"#
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [change], key: owner)
            let made = try await listener.post(
                "/v1/orgs/acme/keys", #"{"scopes":["read","compose"],"name":"secret"}"#, key: owner)
            let id = made["id"]?.text ?? ""
            _ = try await listener.ask(.delete, "/v1/orgs/acme/keys/\(id)", pieces: [], key: owner, type: nil)
            let message = try await listener.post("/v1/orgs/acme/messages", #"{"name":"secret"}"#)["id"]?.text ?? ""
            for act in ["disable", "enable"] {
                _ = try await listener.post("/v1/orgs/acme/messages/\(message)/\(act)", "", key: owner)
            }
            let hook = try await endpoint(listener, owner)
            for act in ["export", "erase"] {
                _ = try await listener.post("/v1/orgs/acme/recipients/\(act)", #"{"recipient":"secret"}"#, key: owner)
            }
            _ = try await listener.post("/v1/orgs/acme/audits", #"{"recipient":"secret"}"#, key: owner)
            _ = try await listener.post("/v1/keyring/rotate", "")
            _ = try await listener.post("/v1/keyring/1/retire", #"{"force":true}"#)
            _ = try await listener.post("/v1/backup", "")
            _ = try await listener.ask(.delete, "/v1/nodes/links-2", pieces: [], type: nil)
            _ = try await listener.post("/v1/console/sign-in-links", "")
            #expect(
                lines(listener) == [
                    "act=organization.create by=operator enforcement=restrictive identifiers=email organization=acme status=201",
                    "act=organization.change by=\(by) enforcement=nonRestrictive fields=name,enforcement,targetHosts "
                        + "organization=acme status=200",
                    "act=key.create by=\(by) keyId=\(id) organization=acme scopes=compose,read status=201",
                    "act=key.delete by=\(by) keyId=\(id) organization=acme status=204",
                    "act=message.disable by=\(by) messageId=\(message) organization=acme status=200",
                    "act=message.enable by=\(by) messageId=\(message) organization=acme status=200",
                    "act=endpoint.create by=\(by) endpointId=\(hook) organization=acme status=201",
                    "act=endpoint.change by=\(by) endpointId=\(hook) organization=acme status=200",
                    "act=endpoint.test by=\(by) endpointId=\(hook) organization=acme status=202",
                    "act=endpoint.disable by=\(by) endpointId=\(hook) organization=acme status=200",
                    "act=endpoint.enable by=\(by) endpointId=\(hook) organization=acme status=200",
                    "act=endpoint.rotate by=\(by) endpointId=\(hook) organization=acme status=200",
                    "act=endpoint.replay by=\(by) endpointId=\(hook) organization=acme status=200",
                    "act=endpoint.delete by=\(by) endpointId=\(hook) organization=acme status=204",
                    "act=recipient.export by=\(by) organization=acme status=200",
                    "act=recipient.erase by=\(by) consents=0 decisions=0 interactions=0 organization=acme status=200",
                    "act=audit.export by=\(by) filters=recipient organization=acme status=200",
                    "act=keyring.rotate by=operator signingKey=2 status=201",
                    "act=keyring.retire by=operator force=true signingKey=1 status=204",
                    "act=backup.make by=operator files=1 status=201",
                    "act=node.remove by=operator status=404",
                    "act=console.link by=operator status=404",
                ])
            let acts = lines(listener).compactMap { $0.split(separator: " ").first?.dropFirst("act=".count) }
            #expect(Set(acts.map(String.init)) == Set(AdministrativeAct.allCases.map(\.rawValue)))
            #expect(!listener.log.all.joined().contains("ecret"))
        }
    }

    @Test("the retirement of a signing key names the nodes that may still open links with it")
    func retiredExcept() async throws {
        try await PrivateListenerFixture.with { listener in
            _ = try await listener.post("/v1/keyring/rotate", "")
            listener.ring.share(with: ["links-2", "links-3"])
            #expect(try await listener.post("/v1/keyring/1/retire", #"{"force":true}"#).status == 204)
            #expect(
                lines(listener).last
                    == "act=keyring.retire by=operator force=true nodes=links-2,links-3 signingKey=1 status=204")
        }
    }

    @Test("an act that is refused has a line with how it ended, and one that was not admitted has none")
    func refused() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let reader = try await listener.key("read")
            let before = lines(listener).count
            listener.backups.fail(with: .cannotWrite)
            _ = try await listener.post("/v1/backup", "")
            _ = try await listener.post("/v1/keyring/1/retire", #"{"force":true}"#)
            _ = try await listener.post("/v1/orgs/acme/messages/1/disable", "")
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":""}"#)
            _ = try await listener.post("/v1/orgs", "{", type: "text/plain")
            #expect(
                lines(listener).dropFirst(before) == [
                    "act=backup.make by=operator status=503",
                    "act=keyring.retire by=operator force=true signingKey=1 status=409",
                    "act=message.disable by=operator messageId=1 organization=acme status=404",
                    "act=recipient.erase by=operator organization=acme status=422",
                    "act=organization.create by=operator status=415",
                ])
            let count = lines(listener).count
            _ = try await listener.post("/v1/backup", "", key: reader)
            _ = try await listener.post("/v1/orgs/acme/keys", #"{"scopes":["read"]}"#, key: nil)
            _ = try await listener.post("/v1/orgs/nobody/recipients/erase", #"{"recipient":"ana"}"#)
            #expect(lines(listener).count == count)
        }
    }

    @Test("an erasure whose files are not cleared in time is 503, and its line says what was erased")
    func uncleared() async throws {
        try await PrivateListenerFixture.with(eraseSpooled: { throw StorageError.busy }) { listener in
            let owner = try await listener.organization()
            let by = try await listener.get("/v1/orgs/acme/keys")["keys"]?.items.first?["id"]?.text ?? ""
            try await listener.consent("ana", "given")
            _ = try await listener.compose(["ana"])
            let before = lines(listener).count
            let answer = try await listener.post(
                "/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#, key: owner)
            #expect(answer.status == 503)
            let detail = "The recipient is erased, but files are not cleared yet. Please try again."
            #expect(answer["detail"]?.text == detail)
            #expect(
                lines(listener).dropFirst(before) == [
                    "act=recipient.erase by=\(by) consents=1 decisions=1 interactions=0 organization=acme status=503"
                ])
            let asked = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"ana"}"#)
            #expect(asked["history"]?.items.isEmpty == true)
        }
    }

    @Test("reading, recording and composing leave no line")
    func others() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let before = lines(listener).count
            try await listener.consent("ana", "given")
            _ = try await listener.compose(["ana"])
            for path in ["", "/keys", "/decisions", "/interactions", "/ledger"] {
                #expect(try await listener.get("/v1/orgs/acme\(path)").status == 200, "\(path)")
            }
            #expect(lines(listener).count == before)
        }
    }
}
