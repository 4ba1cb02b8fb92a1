import Consent
import Dispatch
import Identifiers
import Interactions
import Organizations
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Copies of files that others go on writing to.
@Suite struct StorageCopyTests {
    /// Lets a copy wait, with its snapshot taken, until something else was done.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        private let reached = DispatchSemaphore(value: 0)
        private let isFirst = Atomic<Bool>(true)

        /// For the copy: waits here the first time it comes by.
        func pass() {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            reached.signal()
            opened.wait()
        }

        func open() { opened.signal() }

        /// Returns when the copy waits.
        func arrival() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [reached] in
                    reached.wait()
                    continuation.resume()
                }
            }
        }
    }

    @Test("a copy has what was written before it began, and nothing of what is written while it is made")
    func oneMoment() async throws {
        try await withSQLite { fixture in
            for number in 0..<3000 { try await fixture.ports.record(.given, for: RecipientID("before\(number)")) }
            let target = try TemporaryFolder()
            defer { target.remove() }
            let gate = Gate()
            async let copy: Void = fixture.storage.copy(into: target.path) { gate.pass() }
            await gate.arrival()
            try await fixture.ports.record(.given, for: RecipientID("meanwhile"))
            gate.open()
            try await copy
            #expect(try target.filesContaining("meanwhile") == [])

            let restored = try SQLiteFixture(target)
            for name in ["before0", "before2999"] {
                let history = try await restored.storage.stores.consents.history(
                    of: RecipientID(name), in: restored.ports.acme)
                #expect(history.map(\.state) == [.given])
            }
            let unknown = try await restored.storage.stores.consents.history(
                of: RecipientID("meanwhile"), in: restored.ports.acme)
            #expect(unknown.isEmpty)
            try restored.storage.close()
        }
    }

    @Test("a copy has no session and no sign-in link: restored, it would bring back what was ended or used since")
    func sessions() async throws {
        try await withSQLite { fixture in
            let (session, link) = (SessionDigest(bytes: Array(1...32)), SessionDigest(bytes: Array(33...64)))
            let account = ConsoleAccount(name: "otto@https://id.example", origin: .provider, grants: [])
            let sessions = fixture.storage.stores.sessions
            try await sessions.add(ConsoleSession(digest: session, account: account, madeAt: .noon))
            try await sessions.addLink(link, at: .noon)
            let target = try TemporaryFolder()
            defer { target.remove() }
            try await fixture.storage.copy(into: target.path) {}
            #expect(try target.filesContaining("otto@").isEmpty)

            let restored = try SQLiteFixture(target)
            #expect(try await restored.storage.stores.sessions.session(session) == nil)
            let sessionsOfCopy = restored.storage.stores.sessions
            #expect(try await !sessionsOfCopy.takeLink(link, madeAfter: .noon - .seconds(1), at: .noon))
            try restored.storage.close()
            #expect(try await sessions.session(session) != nil)
            #expect(try await sessions.takeLink(link, madeAfter: .noon - .seconds(1), at: .noon))
        }
    }

    @Test("erasures are counted before the files are rid of the person")
    func erasures() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            #expect(fixture.storage.erasures == 0)
            let target = try TemporaryFolder()
            defer { target.remove() }
            let gate = Gate()
            async let copy: Void = fixture.storage.copy(into: target.path) { gate.pass() }
            await gate.arrival()
            async let erasure = fixture.storage.stores.consents.erase(.ana, in: fixture.ports.acme)
            // The erasure wants the log for itself, which the copy holds until it goes on.
            #expect(await eventually { fixture.storage.erasures > 0 })
            gate.open()
            try await copy
            #expect(try await erasure.consents == 1)
            #expect(fixture.storage.erasures == 1)
        }
    }

    @Test("a copy that cannot be written says nothing against the file it was made of")
    func unwritable() async throws {
        try await withSQLite { fixture in
            let failure = await #expect(throws: FailedCopy.self) {
                try await fixture.storage.copy(into: fixture.folder.path(of: "nowhere")) {}
            }
            #expect(failure?.reason == "No such file or directory")
            #expect(fixture.storage.status == .working)
            try await fixture.ports.record(.given, for: .ana)
        }
    }
}
