import Cryptography
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing
import TrackingIDs

@testable import Redirect

@Suite struct RedirectHandlerTests {
    private static let browser = "User-Agent: Mozilla/5.0 Firefox/127.0\r\n"
    private static let found =
        "HTTP/1.1 302 Found\r\nLocation: \(StoredMessage.target)\r\nCache-Control: no-store\r\n"
        + "Referrer-Policy: no-referrer\r\nX-Robots-Tag: noindex, nofollow\r\nContent-Length: 0\r\n"
        + "Date: Sun, 22 Nov 2026 12:00:00 GMT\r\n"

    private func request(
        _ token: String, _ method: String = "GET", version: String = "1.1", headers: String = browser
    ) -> String {
        "\(method) /r/\(token) HTTP/\(version)\r\nHost: links.example\r\n\(headers)\r\n"
    }

    private func closing(_ token: String, _ method: String = "GET", headers: String = browser) -> String {
        request(token, method, headers: headers + "Connection: close\r\n")
    }

    @Test("a click is answered with exactly these bytes, and is in the spool")
    func bytes() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(request(server.keys.value.token()))
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.found + "\r\n")
            #expect(!client.received.isClosed)
            #expect(
                try server.spool.held.map(\.occurrence) == [
                    Occurrence(
                        kind: .pushLinkClicked, source: .redirect, occurredAt: .noon, message: .sample(),
                        recipient: .sample(), link: LinkIndex(rawValue: 1), visitor: .browserAgent)
                ])
        }
    }

    @Test("a genuine link of a message that no longer tracks leads on, and leaves nothing in the spool")
    func untracked() async throws {
        try await PublicServer.run { server in
            server.messages.put(try .sample(tracking: false))
            let client = try await server.connect()
            try await client.send(request(server.keys.value.token()))
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.found + "\r\n")
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test("nothing is written before the click is on disk")
    func recordThenRedirect() async throws {
        try await PublicServer.run { server in
            // So that the message is in memory, and nothing but the disk is waited for.
            _ = try await server.answer(to: closing(server.keys.value.token(), "HEAD"))
            server.spool.isStuck = true
            let client = try await server.connect()
            try await client.send(request(server.keys.value.token()))
            #expect(await eventually { server.spool.isAppending })
            try await Task.sleep(for: .milliseconds(100))
            #expect(client.text.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.found + "\r\n")
        }
    }

    @Test("a click that could not be recorded is answered with the same bytes")
    func brokenDisk() async throws {
        try await PublicServer.run { server in
            server.spool.isBroken = true
            let answer = try await server.answer(to: closing(server.keys.value.token()))
            #expect(answer == Self.found + "Connection: close\r\n\r\n")
            #expect(server.spool.held.isEmpty)
            #expect(server.faults.count == 1)
        }
    }

    enum Unrecorded: CaseIterable {
        case head, prefetch, objection, expired, withdrawn
    }

    @Test("recorded or not, the answer is the same bytes", arguments: Unrecorded.allCases)
    func unrecorded(_ reason: Unrecorded) async throws {
        try await PublicServer.run { server in
            let token = try server.keys.value.token()
            let recorded = try await server.answer(to: closing(token))
            #expect(server.spool.held.count == 1)
            var text = closing(token)
            switch reason {
            case .head: text = closing(token, "HEAD")
            case .prefetch: text = closing(token, headers: Self.browser + "Sec-Purpose: prefetch\r\n")
            case .objection: text = closing(token, headers: Self.browser + "Sec-GPC: 1\r\n")
            case .expired: text = closing(try server.keys.value.token(expires: 1_795_348_800))
            case .withdrawn: try server.withdraw()
            }
            #expect(try await server.answer(to: text) == recorded)
            #expect(server.spool.held.count == 1, "the one before")
        }
    }

    @Test("an objection counts where the organization honours it")
    func objectionNotHonored() async throws {
        try await PublicServer.run { server in
            server.rules.privacyControlChanged(isHonored: false, in: try .acme())
            _ = try await server.answer(
                to: closing(server.keys.value.token(), headers: Self.browser + "Sec-GPC: 1\r\n"))
            #expect(server.spool.held.count == 1)
        }
    }

    @Test("the date is the clock's at the answer, and a link's end the clock's at the click")
    func clock() async throws {
        try await PublicServer.run { server in
            let token = try server.keys.value.token(expires: 1_795_348_801)
            server.clock.now = .noon + 999
            #expect(try await server.answer(to: closing(token)).contains("Date: Sun, 22 Nov 2026 12:00:00 GMT\r\n"))
            server.clock.now = .noon + 1000
            #expect(try await server.answer(to: closing(token)).contains("Date: Sun, 22 Nov 2026 12:00:01 GMT\r\n"))
            #expect(server.spool.held.map(\.occurrence.occurredAt) == [.noon + 999])
        }
    }

    @Test("a machine's click is recorded as one")
    func visitor() async throws {
        try await PublicServer.run { server in
            _ = try await server.answer(
                to: closing(server.keys.value.token(), headers: "User-Agent: Twitterbot/1.0\r\n"))
            #expect(server.spool.held.map(\.occurrence.visitor) == [.previewerAgent])
        }
    }

    @Test("what a mail gateway adds to a link does not break it", arguments: ["/", "?utm_source=mail", "/?a=b/", "?"])
    func decorated(_ suffix: String) async throws {
        try await PublicServer.run { server in
            let answer = try await server.answer(to: closing(server.keys.value.token() + suffix))
            #expect(answer == Self.found + "Connection: close\r\n\r\n")
        }
    }

    @Test("every link of a message leads to its own target, and indexes that are no link lead nowhere")
    func links() async throws {
        try await PublicServer.run { server in
            let buy = try await server.answer(to: closing(server.keys.value.token(link: 3)))
            #expect(buy.contains("\r\nLocation: https://shop.example/buy\r\n"))
            for index in [0, 2, 4, .max] as [UInt16] {
                let answer = try await server.answer(to: closing(server.keys.value.token(link: index)))
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(index)")
            }
            #expect(server.spool.held.map(\.occurrence.link.rawValue) == [3])
        }
    }

    // MARK: Refusals

    @Test("a forged token is 404 and never costs a look-up")
    func forged() async throws {
        try await PublicServer.run { server in
            let token = try server.keys.value.token()
            let foreign = try KeyRing(keys: [
                KeyRing.Key(id: 1, secret: SecretBytes([UInt8](repeating: 9, count: 32)), createdAt: .noon)
            ]).token()
            let altered = token.indices.map { token.replacingCharacter(at: $0, with: token[$0] == "A" ? "B" : "A") }
            let misshapen = ["", "/", String(token.dropLast()), token + "A", token + "=", token + "//", "%41" + token]
            let forgeries = altered + misshapen + [foreign, try KeyRing.sample(keys: [2]).token()]
            let client = try await server.connect()
            for (count, forgery) in forgeries.enumerated() {
                try await client.send(request(forgery))
                #expect(await client.hasAnswers(count + 1))
            }
            #expect(client.text.matches(of: #/HTTP/1\.1 404 Not Found/#).count == forgeries.count)
            #expect(!client.text.contains("Location"))
            #expect(server.messages.calls == 0)
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test("a genuine token of a message that no store has is 404; of one that cannot be asked for, 503")
    func unknownAndUnavailable() async throws {
        try await PublicServer.run { server in
            let unknown = try server.keys.value.token(message: 99)
            #expect(try await server.answer(to: closing(unknown)).hasPrefix("HTTP/1.1 404 "))
            server.messages.isOut = true
            let answer = try await server.answer(to: closing(unknown))
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains("\r\nRetry-After: "))
            #expect(server.faults.count == 1)
            #expect(try await server.answer(to: closing(server.keys.value.token())).hasPrefix("HTTP/1.1 503 "))
            server.messages.isOut = false
            #expect(try await server.answer(to: closing(server.keys.value.token())).hasPrefix("HTTP/1.1 302 "))
            server.messages.isOut = true
            #expect(
                try await server.answer(to: closing(server.keys.value.token())).hasPrefix("HTTP/1.1 302 "),
                "what is in memory needs no store")
        }
    }

    @Test("a link that its owner switched off is 410, for every client and method")
    func disabled() async throws {
        try await PublicServer.run { server in
            server.directory.update(try .sample(isDisabled: true))
            let token = try server.keys.value.token()
            for headers in ["", "Sec-Purpose: prefetch\r\n", "Sec-GPC: 1\r\n"] {
                #expect(
                    try await server.answer(to: closing(token, headers: headers)).hasPrefix("HTTP/1.1 410 Gone\r\n"))
            }
            #expect(try await server.answer(to: closing(token, "HEAD")).hasPrefix("HTTP/1.1 410 "))
            #expect(try await server.answer(to: closing(token, "POST")).hasPrefix("HTTP/1.1 405 "))
            #expect(
                try await server.answer(to: closing(server.keys.value.token(link: 9))).hasPrefix("HTTP/1.1 404 "))
            server.directory.update(try .sample())
            #expect(try await server.answer(to: closing(token)).hasPrefix("HTTP/1.1 302 "))
        }
    }

    @Test("other methods are told which are allowed", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    func methods(_ method: String) async throws {
        try await PublicServer.run { server in
            let answer = try await server.answer(
                to: closing(server.keys.value.token(), method, headers: "Content-Length: 0\r\n"))
            #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n"))
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test("a refusal is a page for people, a problem document for programs, and has no body for HEAD")
    func refusals() async throws {
        try await PublicServer.run { server in
            let page = try await server.answer(to: closing("x", headers: "Accept: text/html,*/*;q=0.8\r\n"))
            let problem = try await server.answer(to: closing("x"))
            let head = try await server.answer(to: closing("x", "HEAD"))
            for (answer, type) in [(page, "text/html; charset=utf-8"), (problem, "application/problem+json")] {
                let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
                #expect(parts.count == 2)
                #expect(parts[0].contains("\r\nContent-Type: \(type)\r\n"))
                #expect(parts[0].contains("\r\nContent-Length: \(parts[1].utf8.count)\r\n"))
                #expect(parts[0].contains("\r\nCache-Control: no-store\r\n"))
                #expect(parts[0].contains("\r\nDate: Sun, 22 Nov 2026 12:00:00 GMT\r\n"))
            }
            #expect(page.contains("<!doctype html>"))
            #expect(problem.contains(#""status":404"#))
            #expect(head == problem.split(separator: "\r\n\r\n", maxSplits: 1)[0] + "\r\n\r\n")
        }
    }

    // MARK: Keys

    @Test("the next click sees a rotated ring, and one whose old key was retired")
    func rotation() async throws {
        try await PublicServer.run { server in
            let (old, fresh) = (try server.keys.value.token(), try KeyRing.sample(keys: [1, 2]).token())
            let client = try await server.connect()
            func status(_ token: String, _ count: Int) async throws -> Substring {
                try await client.send(request(token))
                #expect(await client.hasAnswers(count))
                return client.text.matches(of: #/HTTP/1\.1 (\d\d\d) /#).last?.1 ?? ""
            }
            #expect(try await status(old, 1) == "302")
            #expect(try await status(fresh, 2) == "404")
            server.keys.replace(with: try .sample(keys: [1, 2]))
            #expect(try await status(fresh, 3) == "302")
            #expect(try await status(old, 4) == "302")
            server.keys.replace(with: try .sample(keys: [2]))
            #expect(try await status(old, 5) == "404")
            #expect(try await status(fresh, 6) == "302")
        }
    }

    @Test("a withdrawal works on the next click of a connection that is open already")
    func withdrawal() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let token = try server.keys.value.token()
            try await client.send(request(token))
            #expect(await client.hasAnswers(1))
            try server.withdraw()
            try await client.send(request(token))
            #expect(await client.hasAnswers(2))
            #expect(client.text == Self.found + "\r\n" + Self.found + "\r\n")
            #expect(server.spool.held.count == 1)
        }
    }
}

extension String {
    fileprivate func replacingCharacter(at place: Index, with replacement: String) -> String {
        self[..<place] + replacement + self[index(after: place)...]
    }
}
