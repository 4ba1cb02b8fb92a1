import Identifiers
import Messages
import Redirect
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Has one message, which it finds or has just stored, and keeps what it was asked for.
private final class OneMessage: MessageStore {
    private let stored: StoredMessage
    private let isNew: Bool
    private let isServerGone: Bool
    private let asked = Mutex<[String]>([])

    init(_ stored: StoredMessage, isNew: Bool, isServerGone: Bool = false) {
        (self.stored, self.isNew, self.isServerGone) = (stored, isNew, isServerGone)
    }

    var calls: [String] { asked.withLock { $0 } }

    func save(
        _: Message, in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        asked.withLock { $0.append("save") }
        return (stored, isNew)
    }

    func confirm() async throws {
        asked.withLock { $0.append("confirm") }
        if isServerGone { throw Outage() }
    }

    func addLinks(_: [MailLink], to _: MessageID, in _: OrganizationID) async throws -> [MessageLink?]? { nil }
    func message(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
    func message(_: MessageID) async throws -> StoredMessage? { nil }
    func messageWithoutAddedLinks(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
    func size(of _: MessageID, in _: OrganizationID) async throws -> Int? { nil }
    func sizeOfAddedLinks(of _: MessageID, in _: OrganizationID, upTo _: Int) async throws -> Int { 0 }
    func setDisabled(_: Bool, message _: MessageID, in _: OrganizationID) async throws -> StoredMessage? { nil }
}

@Suite struct MessageCatalogTests {
    private func catalog(_ store: OneMessage) throws -> MessageCatalog {
        MessageCatalog(
            messages: store, directory: LinkDirectory(store: store, table: LinkTable(rules: RecordingRulesTable())),
            publicOrigin: try PublicOrigin("https://links.example"), linkLifetimeInDays: 30, now: { .noon })
    }

    @Test(
        "a message that was found is confirmed before it is returned, and a new one is durable already",
        arguments: [(true, ["save"]), (false, ["save", "confirm"])])
    func durable(_ isNew: Bool, _ calls: [String]) async throws {
        let message = try Samples.message()
        let store = OneMessage(message, isNew: isNew)
        let saved = try await catalog(store).saveDurably(
            message.content, in: message.organization, fingerprint: nil)
        #expect(saved.isNew == isNew && saved.message == message)
        #expect(store.calls == calls)
    }

    @Test("a message that was found and cannot be confirmed is not returned")
    func unconfirmed() async throws {
        let message = try Samples.message()
        let catalog = try catalog(OneMessage(message, isNew: false, isServerGone: true))
        await #expect(throws: Outage.self) {
            try await catalog.saveDurably(message.content, in: message.organization, fingerprint: nil)
        }
    }
}
