import Consent
import HTTPTypes
import Identifiers
import Interactions
import Messages
import Redirect
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// The picture in a mail, and what the public origin says about itself.
@Suite struct PublicPagesTests {
    @Test("the picture is a transparent GIF that nothing keeps, and its fetching is an opening by who fetched it")
    func picture() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/o/\(try service.listener.token(message, reference)).gif"
            let answer = await service.ask(.get, path, headers: [.userAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0"])
            #expect(answer.status == 200 && answer.bytes == TransparentPixel.gif)
            #expect(answer.bytes.prefix(6).elementsEqual("GIF89a".utf8) && answer.bytes.count == 43)
            #expect(answer.headers[.contentType] == "image/gif")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.known("Referrer-Policy")] == "no-referrer")
            #expect(answer.headers[.known("X-Robots-Tag")] == "noindex, nofollow")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(
                service.spool.occurrences == [
                    Occurrence(
                        kind: .messageOpened, source: .redirect, occurredAt: .noon, message: message.id,
                        recipient: reference, link: .message, visitor: .browserAgent)
                ])
            for (agent, visitor) in [
                ("Mozilla/5.0 (via ggpht.com GoogleImageProxy)", .gmailImageProxy), ("Mozilla/5.0", .appleMailPrivacy),
                ("curl/8.5.0", .crawlerAgent),
            ] as [(String, Visitor)] {
                _ = await service.ask(.get, path, headers: [.userAgent: agent])
                #expect(service.spool.occurrences.last?.visitor == visitor, "\(agent)")
            }
        }
    }

    @Test("the reader gets the same picture when the opening is not recorded")
    func unrecorded() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/o/\(try service.listener.token(message, reference)).gif"
            let before = await service.ask(.get, path)
            service.spool.setBroken(true)
            #expect(await service.ask(.get, path).bytes == before.bytes, "the disk does not take it")
            service.spool.setBroken(false)
            let head = await service.ask(.head, path)
            #expect(head.status == 200 && head.bytes.isEmpty && head.headers[.contentType] == "image/gif")
            for headers: HTTPFields in [[.known("Sec-GPC"): "1"], [.known("Sec-Purpose"): "prefetch;prerender"]] {
                #expect(await service.ask(.get, path, headers: headers).bytes == before.bytes)
            }
            let expired = try service.listener.token(message, reference, expires: 1_795_348_799)
            #expect(await service.ask(.get, "/o/\(expired).gif").bytes == before.bytes)
            try await service.listener.record(.withdrawn, for: try RecipientID("ana@example.com"))
            #expect(await service.ask(.get, path).bytes == before.bytes)
            #expect(service.spool.occurrences.count == 1)
        }
    }

    @Test("the reader gets the picture after three seconds of a stuck disk, and the opening is counted as a click is")
    func stuckDisk() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/o/\(try service.listener.token(message, reference)).gif"
            func count(_ metric: String) -> String? { PrometheusLines(service.redirect.metrics)[metric] }
            service.spool.hold()
            // So that a reader who waits for the disk fails the test, and does not stop it.
            let end = Task {
                defer { service.spool.release() }
                try await Task.sleep(for: .seconds(30))
            }
            let start = ContinuousClock.now
            #expect(await service.ask(.get, path).bytes == TransparentPixel.gif)
            #expect(ContinuousClock.now - start >= .seconds(2.9))
            #expect(count(#"consentlink_clicks_unrecorded_total{reason="stuck"}"#) == "1")
            #expect(count("consentlink_clicks_recorded_late_total") == "0")
            end.cancel()
            #expect(await eventually { count("consentlink_clicks_recorded_late_total") == "1" })
            #expect(service.spool.occurrences.count == 1)
            #expect(count(#"consentlink_clicks_unrecorded_total{reason="stuck"}"#) == "1")
        }
    }

    @Test("no opens are recorded for a message without a picture, although its tracking IDs are in payloads")
    func noPicture() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent(openTracking: false)
            #expect(await service.ask(.get, "/o/\(try service.listener.token(message, reference)).gif").status == 200)
            #expect(service.spool.appends == 0)
        }
    }

    @Test("one tracking ID is not recorded without end, and what is passed over is counted")
    func rate() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/o/\(try service.listener.token(message, reference)).gif"
            for _ in 0..<150 { #expect(await service.ask(.get, path).status == 200) }
            let recorded = service.spool.occurrences.count
            #expect((100..<150).contains(recorded))
            let page = PrometheusLines(service.redirect.metrics)
            #expect(page[#"consentlink_clicks_unrecorded_total{reason="rate"}"#] == "\(150 - recorded)")
        }
    }

    @Test("a picture that is not of a message is not found, and one of a message that was switched off is gone")
    func missing() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let token = try service.listener.token(message, reference)
            let ofLink = try service.listener.token(message, reference, link: 1)
            let stranger = try TrackingIDForeign.token(message, reference)
            for image in ["\(token)", "\(token).png", "\(token).GIF", "\(ofLink).gif", "\(stranger).gif", ".gif", "x"] {
                #expect(await service.ask(.get, "/o/\(image)").status == 404, "\(image)")
            }
            let storage = service.listener.storage
            _ = try await storage.stores.messages.setDisabled(
                true, message: message.id, in: service.listener.organization)
            #expect(await service.ask(.get, "/o/\(token).gif").status == 410)
            #expect(service.spool.appends == 0)
        }
    }

    @Test(
        "what the origin says about itself is kept for a day, and has no other methods",
        arguments: [
            ("/robots.txt", "text/plain; charset=utf-8", "User-agent: *\nDisallow: /\n"),
            ("/.well-known/gpc.json", "application/json", "{\"gpc\":true,\"lastUpdate\":\"2026-11-21\"}\n"),
        ])
    func wellKnown(_ path: String, _ type: String, _ text: String) async throws {
        try await PublicServiceFixture.with { service in
            let page = await service.ask(.get, path)
            #expect(page.answer.body == text)
            #expect(page.headers[.contentType] == type)
            #expect(page.headers[.cacheControl] == "public, max-age=86400")
            #expect(await service.ask(.head, path).bytes.isEmpty)
            #expect(await service.ask(.post, path).headers[.allow] == "GET, HEAD")
        }
    }

    @Test("strangers learn whether the service is ready, and not why it is not")
    func health() async throws {
        try await PublicServiceFixture.with { service in
            #expect(await service.ask(.get, "/readyz").answer.body == #"{"status":"ready"}"#)
            service.health.impediments = [.ledgerClosed("acme")]
            let answer = await service.ask(.get, "/readyz").answer
            #expect(answer.status == 503 && !answer.body.contains("acme"))
            #expect(answer["detail"]?.text == "The service is not ready.")
            #expect(await service.ask(.get, "/healthz").answer.body == #"{"status":"alive"}"#)
        }
    }

    @Test("no route of the private listener is here, and no page has the id of a request")
    func apart() async throws {
        try await PublicServiceFixture.with { service in
            let id = "0af7651916cd43dd8448eb211c80319c"
            for path in ["/metrics", "/v1/orgs", "/v1/orgs/acme/decisions", "/v1/keyring", "/v1/backup"] {
                let answer = await service.ask(.get, path, headers: [.requestID: id])
                #expect(answer.status == 404, "\(path)")
                #expect(answer.headers[.requestID] == nil)
                #expect(answer.headers[.date] == "Sun, 22 Nov 2026 12:00:00 GMT")
                #expect(!answer.answer.body.contains("requestId"))
            }
            #expect(!service.log.all.joined().contains(id))
        }
    }
}
