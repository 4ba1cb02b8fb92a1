import Consent
import Formats
import Identifiers
import Messages
import Redirect
import StoragePorts
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// The links that were added to one message, in memory.
private final class AddedLinks: MessageStore {
    private struct State {
        var links: [TargetURL: MessageLink] = [:]
        var asked: [[String]] = []
        var isFull = false
        var isGone = false
    }

    private let state = Mutex(State())

    /// The targets that were asked for, call by call.
    var asked: [[String]] { state.withLock { $0.asked } }

    func fill() { state.withLock { $0.isFull = true } }
    func removeMessage() { state.withLock { $0.isGone = true } }

    func addLinks(_ links: [MailLink], to _: MessageID, in _: OrganizationID) async throws -> [MessageLink?]? {
        state.withLock { state in
            state.asked.append(links.map(\.target.text))
            if state.isGone { return nil }
            return links.map { link in
                if let known = state.links[link.target] { return known }
                if state.isFull { return nil }
                let index = LinkIndex(rawValue: UInt16(state.links.count + 1))
                let added = MessageLink(
                    index: index, target: link.target, location: "html", label: nil, isTracked: true)
                state.links[link.target] = added
                return added
            }
        }
    }

    func save(
        _: Message, in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) { throw Outage() }
    func message(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
    func message(_: MessageID) async throws -> StoredMessage? { nil }
    func messageWithoutAddedLinks(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
    func size(of _: MessageID, in _: OrganizationID) async throws -> Int? { nil }
    func sizeOfAddedLinks(of _: MessageID, in _: OrganizationID, upTo _: Int) async throws -> Int { 0 }
    func setDisabled(_: Bool, message _: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
}

@Suite struct RewriterTests {
    private let store = AddedLinks()
    private let records = Records(.nothing)
    private let rewriter: Rewriter
    private let message: StoredMessage

    init() throws {
        message = try Samples.message()
        let catalog = MessageCatalog(
            messages: store, directory: LinkDirectory(store: store, table: LinkTable(rules: RecordingRulesTable())),
            publicOrigin: try PublicOrigin("https://links.example"), linkLifetimeInDays: 30, now: { .noon })
        let composer = Composer(
            consent: records, decisions: records, metrics: DecisionMetrics(),
            keys: CurrentKeyRing(try Samples.keyRing()), linkLifetimeInDays: 30, now: { .noon })
        rewriter = Rewriter(catalog: catalog, composer: composer)
    }

    private func giveConsent() throws {
        records.say(
            .inForce(
                ConsentInForce(
                    record: ConsentRecordID(try Samples.number(3)), state: .given, occurredAt: .noon, validUntil: nil)))
    }

    private func mail(_ text: String) throws -> PersonalMail {
        let rules = rewriter.catalog.rules(for: try Samples.organization())
        let body = try MessageBody(text, .text) { url throws(TargetURLError) in try TargetURL(url, rules: rules) }
        return PersonalMail(recipient: try RecipientID("ana@example.com"), bodies: [body])
    }

    private func rewrite(_ text: String) async throws -> (text: String, links: [Rewriter.FoundLink]) {
        let rewritten = try await rewriter.rewrite(
            try mail(text), of: message, in: Samples.organization(), fingerprint: nil)
        return (String(decoding: rewritten.bodies[0].bytes, as: UTF8.self), rewritten.links)
    }

    @Test("for who is not tracked no link is stored, and the mail stays as it came")
    func untracked() async throws {
        let (text, links) = try await rewrite("See https://shop.example/a")
        #expect(text == "See https://shop.example/a")
        #expect(links.map(\.index) == [nil] && links.map(\.skipped) == [nil])
        #expect(store.asked.isEmpty && records.recorded.count == 1)
    }

    @Test("each target is stored once, and every place that has it leads there by the same index")
    func tracked() async throws {
        try giveConsent()
        let (text, links) = try await rewrite(
            "https://shop.example/a https://shop.example/b https://shop.example/a")
        #expect(!text.contains("shop.example"))
        #expect(links.map { $0.index?.rawValue } == [1, 2, 1])
        #expect(store.asked == [["https://shop.example/a", "https://shop.example/b"]])
    }

    @Test("a link that the message has no index left for stays as it is, and is named as such")
    func full() async throws {
        try giveConsent()
        _ = try await rewrite("https://shop.example/a")
        store.fill()
        let (text, links) = try await rewrite("https://shop.example/a https://shop.example/new")
        #expect(text.hasSuffix(" https://shop.example/new") && !text.hasPrefix("https://shop"))
        #expect(links.map(\.skipped) == [nil, .full])
    }

    @Test("a mail whose links cannot be stored is not rendered, although its decision was")
    func gone() async throws {
        try giveConsent()
        store.removeMessage()
        await #expect(throws: RequestRefusal.notFound) { try await rewrite("https://shop.example/a") }
        #expect(records.recorded.count == 1)
    }

    @Test("of mails that share their links the store is asked for what is new alone")
    func known() async throws {
        try giveConsent()
        let known = KnownLinks(of: message)
        for (texts, indices) in [
            (["https://shop.example/a"], [[1]]), (["https://shop.example/a", "https://shop.example/b"], [[1], [2]]),
            (["https://shop.example/b https://shop.example/a"], [[2, 1]]),
        ] as [([String], [[UInt16]])] {
            let mails = try texts.map(mail)
            let evaluation = try await rewriter.composer.evaluate(
                mails.map(\.recipient), for: message, in: Samples.organization())
            let rewritten = try await rewriter.rewrite(mails, of: message, for: evaluation, known)
            let sealer = try TrackingIDSealer(keyRing: rewritten.decided.keyRing)
            for index in mails.indices {
                let links = rewritten.mail(at: index, sealer).links
                #expect(links.map { $0.index?.rawValue } == indices[index])
            }
        }
        #expect(store.asked == [["https://shop.example/a"], ["https://shop.example/b"]])
    }

    @Test("a recipient who is not tracked has no index of a link that is stored for another recipient")
    func mixed() async throws {
        try giveConsent()
        let ben = try RecipientID("ben@example.com")
        records.say(.nothing, by: ben)
        let text = "https://shop.example/a"
        let mails = [try mail(text), PersonalMail(recipient: ben, bodies: try mail(text).bodies)]
        let evaluation = try await rewriter.composer.evaluate(
            mails.map(\.recipient), for: message, in: Samples.organization())
        let rewritten = try await rewriter.rewrite(mails, of: message, for: evaluation, KnownLinks(of: message))
        let sealer = try TrackingIDSealer(keyRing: rewritten.decided.keyRing)
        let (tracked, untracked) = (rewritten.mail(at: 0, sealer), rewritten.mail(at: 1, sealer))
        #expect(tracked.links.map { $0.index?.rawValue } == [1])
        #expect(untracked.links.map { $0.index?.rawValue } == [nil])
        #expect(String(decoding: untracked.bodies[0].bytes, as: UTF8.self) == text)
    }

    @Test("a mail says of its recipient what the decision permits, and where their page is if it asks for that")
    func recipient() async throws {
        let texts = ["See https://shop.example/a", "See {{consentlink.preferences}}"]
        let common = "https://links.example/preferences/\(message.organization)"
        for text in texts {
            let mail = try await rewriter.rewrite(
                try mail(text), of: message, in: Samples.organization(), fingerprint: nil)
            #expect(mail.trackingID == "00000000-0000-0000-0000-000000000000")
            #expect(mail.preferencesURL == (text == texts[1] ? common : nil))
            let expected = text == texts[1] ? "See \(common)" : text
            #expect(String(decoding: mail.bodies[0].bytes, as: UTF8.self) == expected)
        }
        try giveConsent()
        let opener = try TrackingIDOpener(keyRing: Samples.keyRing())
        for text in texts {
            let mail = try await rewriter.rewrite(
                try mail(text), of: message, in: Samples.organization(), fingerprint: nil)
            let opened = opener.open(mail.trackingID).trackingID
            #expect(opened?.message == message.id && opened?.link == .message)
            let own = "https://links.example/p/\(mail.trackingID)"
            #expect(mail.preferencesURL == (text == texts[1] ? own : nil))
            #expect(mail.bodies[0].bytes.elementsEqual("See \(own)".utf8) == (text == texts[1]))
        }
    }

    @Test("a mail that was rewritten before comes back as it was sent, once consent has ended, with the reason")
    func replayed() async throws {
        try giveConsent()
        _ = try await rewrite("https://shop.example/a")
        records.say(.nothing)
        let number = try Samples.number(100)
        let again = try await rewriter.replay(
            try mail("https://shop.example/a"), of: message, in: Samples.organization(),
            RequestEffect(first: number, last: number, isNew: true))
        #expect(String(decoding: again.bodies[0].bytes, as: UTF8.self) == "https://shop.example/a")
        #expect(again.ended == .together(.noConsentRecord) && again.decisions[.clicks].reason == .consentGiven)
    }

    @Test("a mail that was rewritten before gets no links that it had not, whatever hosts are allowed now")
    func replayedUnderOtherRules() async throws {
        try giveConsent()
        let known = KnownLinks(of: message)
        let rules = TargetRules(
            ownOrigin: rewriter.catalog.publicOrigin, allowedHosts: [try TargetHostPattern("shop.example")])
        let text = "https://shop.example/a https://other.example/b"
        let body = try MessageBody(text, .text) { url throws(TargetURLError) in try TargetURL(url, rules: rules) }
        let recipient = try RecipientID("ana@example.com")
        let first = try await rewriter.rewrite(
            PersonalMail(recipient: recipient, bodies: [body]), of: message, in: Samples.organization(),
            fingerprint: nil, known)
        let number = try Samples.number(100)
        let again = try await rewriter.replay(
            try mail(text), of: message, in: Samples.organization(),
            RequestEffect(first: number, last: number, isNew: true), known)
        #expect(store.asked == [["https://shop.example/a"]])
        #expect(again.bodies[0].bytes == first.bodies[0].bytes)
        #expect(again.links.map(\.index) == first.links.map(\.index))
        #expect(again.links.map(\.skipped) == first.links.map(\.skipped))
        #expect(again.links.map(\.skipped) == [nil, .notATarget(.hostNotAllowed)])
    }

    @Test("a request with a key stores the links of a tracked mail before its decision, with which the key is stored")
    func key() async throws {
        let key = IdempotencyFingerprint(key: [1, 2, 3], body: [4])
        func rewriteOnce() async throws {
            _ = try await rewriter.rewrite(
                try mail("https://shop.example/a"), of: message, in: Samples.organization(), fingerprint: key)
        }
        try await rewriteOnce()
        #expect(store.asked.isEmpty && records.appends == 1, "not tracked")
        try giveConsent()
        try await rewriteOnce()
        #expect(store.asked == [["https://shop.example/a"]] && records.appends == 2)
        store.removeMessage()
        await #expect(throws: RequestRefusal.notFound) { try await rewriteOnce() }
        #expect(records.appends == 2, "the request can be sent again as if for the first time")
    }
}
