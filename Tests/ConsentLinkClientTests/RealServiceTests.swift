import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ConsentLinkClient

/// Every call against the program itself.
@Suite struct RealServiceTests {
    private struct Plain: Decodable {
        let link: String
        let trackingId: String
    }

    private func follow(_ link: String) async throws {
        var request = HTTPClientRequest(url: link)
        request.headers.add(name: "User-Agent", value: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
        let response = try await SharedHTTPClient.client.execute(request, timeout: .seconds(10))
        #expect(response.status == .found)
    }

    @Test("from an organization to the feed, the evidence and the erasure")
    func wholeFlow() async throws {
        try await RunningService.with { service in
            let api = try ConsentLinkAPI(service.api, key: service.operatorKey)
            try await api.checkReady()
            let made = try await api.createOrganization(NewOrganization(id: "acme", enforcement: .restrictive))
            #expect(made.organization.enforcement == .restrictive)
            #expect(try await items(api.organizations()) == [made.organization])
            let acme = try ConsentLinkAPI(service.api, key: made.key.secret).organization("acme")
            try await settings(acme)
            let sale = try await consentAndMessage(acme)
            let link = try await compose(acme, sale)
            try await follow(link.replacing(RunningService.publicURL, with: service.links))
            try await read(acme, sale)
            try await operate(api, link)
            #expect(try await acme.erase("ana@example.com").decisions == 3)
        }
    }

    private func settings(_ acme: OrganizationAPI) async throws {
        let changed = try await acme.change(
            OrganizationChange(
                targetHosts: ["shop.example"], retention: RetentionChange(interactions: .days(7), decisions: .forever)))
        #expect(changed.retention == Retention(interactions: .days(7), decisions: .forever))
        #expect(try await acme.settings() == changed)
        let key = try await acme.createKey(scopes: [.read, .report], name: "auditor")
        #expect(try await acme.keys().contains { $0.id == key.id && $0.name == "auditor" })
        try await acme.deleteKey(key.id)
        #expect(try await items(acme.keys()).map(\.name) == ["first key"])
    }

    private func consentAndMessage(_ acme: OrganizationAPI) async throws -> StoredMessage {
        let given = NewConsent(
            recipient: "ana@example.com", state: .given, occurredAt: Date(timeIntervalSince1970: 1_767_225_600.125),
            evidence: Evidence(method: "web-form", notice: .init(id: "privacy")))
        let first = try await acme.record([given], idempotencyKey: "once")
        #expect(try await acme.record([given], idempotencyKey: "once") == first)
        let consent = try await acme.consent(of: "ana@example.com")
        #expect(consent.current.map(\.state) == [.given])
        #expect(consent.history.map(\.occurredAt) == [given.occurredAt])
        var message = Message(name: "sale", title: "Sale", link: "https://shop.example/sale", tags: ["shop"])
        message.linkLabel = "sale page"
        let stored = try await acme.createMessage(message)
        #expect(try await acme.createMessage(message).id == stored.id)
        #expect(try await acme.message(stored.id).content?.title == "Sale")
        #expect((stored.tags, stored.links.map(\.label)) == (["shop"], ["sale page"]))
        #expect(try await acme.disableMessage(stored.id).disabled)
        #expect(try await !acme.enableMessage(stored.id).disabled)
        return stored
    }

    /// - Returns: the link of the one who is tracked.
    private func compose(_ acme: OrganizationAPI, _ sale: StoredMessage) async throws -> String {
        let order = PayloadOrder(.stored(sale.id), format: .plain)
        let people = ["ana@example.com", "bo@example.com"]
        let composed = try await acme.compose(order, for: people)
        #expect(composed.payloads.map(\.recipient) == people)
        #expect(composed.payloads.map(\.decision.reason) == [.consentGiven, .noConsentRecord])
        var lines: [Bool] = []
        let stream = try acme.compose(order, forEach: people + [""])
        for try await case .payload(let payload) in stream { lines.append(try payload.parsed().tracked) }
        #expect(lines == [true, false])
        #expect(stream.message == sale.id)
        let mail = try await acme.rewrite(
            RewriteRequest(messageId: sale.id, recipient: "ana@example.com", text: "https://shop.example/basket"))
        #expect(mail.tracked && mail.text != "https://shop.example/basket")
        let misfit = Message(name: "x", link: "https://elsewhere.example/")
        let error = try await #require(throws: ConsentLinkError.self) { _ = try await acme.createMessage(misfit) }
        #expect(error.problem?.errors.map(\.pointer) == ["/link"])
        return try composed.payloads[0].payload.decoded(as: Plain.self).link
    }

    private func read(_ acme: OrganizationAPI, _ sale: StoredMessage) async throws {
        var interactions: [Interaction] = []
        for try await page in acme.interactionFeed(following: .milliseconds(50)) {
            interactions += page.interactions
            if !interactions.isEmpty { break }
        }
        #expect(interactions.map(\.type) == [.linkClicked])
        #expect(interactions.map(\.recipient) == ["ana@example.com"])
        var changes: [ConsentChange] = []
        for try await page in acme.consentFeed() { changes += page.changes }
        #expect(changes.contains { $0.consent?.recipient == "ana@example.com" })
        var streamed: [ConsentChange] = []
        for try await change in acme.exportConsentChanges() { streamed.append(change) }
        #expect(streamed == changes)
        #expect(try await acme.consentChanges(after: changes.last?.cursor, wait: 1).changes.isEmpty)
        var decisions: [Decision] = []
        for try await page in acme.decisions(DecisionQuery(message: sale.id)) { decisions += page.decisions }
        #expect(decisions.count == 5)
        var exported: [Decision] = []
        for try await decision in try acme.exportDecisions(DecisionQuery(message: sale.id)) {
            exported.append(decision)
        }
        #expect(exported == decisions)
        var clicks: [Interaction] = []
        for try await click in try acme.exportInteractions() { clicks.append(click) }
        #expect(clicks == interactions)
        let decision = try await acme.decision(decisions[0].id)
        #expect(decision.decision == decisions[0])
        #expect(try await acme.proof(ofDecision: decisions[0].id).hasPrefix("c2sp.org/tlog-proof@v1"))
        let ledger = try await acme.ledger()
        #expect(try await acme.checkpoint().contains(ledger.origin))
        #expect(try await acme.export(of: "ana@example.com").text.contains("web-form"))
        var archive: [UInt8] = []
        for try await piece in try acme.exportAudit() { archive += Array(piece.readableBytesView) }
        #expect(archive.count.isMultiple(of: 512) && archive.count > 1024)
    }

    private func operate(_ api: ConsentLinkAPI, _ link: String) async throws {
        let token = try #require(link.split(separator: "/").last.map(String.init))
        let inspected = try await api.inspect(token)
        #expect(inspected.genuine && inspected.organization == "acme" && inspected.recorded == true)
        try await api.checkAlive()
        #expect(try await api.metrics().contains("consentlink_decisions_total"))
        #expect(try await !api.inspect("forged").genuine)
        let key = try await api.rotateSigningKey()
        #expect(try await api.signingKeys().map(\.id).contains(key.id))
        let error = try await #require(throws: ConsentLinkError.self) { try await api.retireSigningKey(1) }
        #expect(error.problem?.status == 409)
        #expect(try await !api.backUp().files.isEmpty)
    }
}
