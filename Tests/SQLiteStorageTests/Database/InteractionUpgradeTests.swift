import Identifiers
import Interactions
import Reports
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Interactions that were stored by earlier versions.
@Suite struct InteractionUpgradeTests {
    @Test("of interactions that were stored without a reason no more is told than is known")
    func visitorsBegin() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            let visitors = [Visitor.browserAgent, .deviceReport, .scannerAgent, .gmailImageProxy, .appleMailPrivacy]
            try await fixture.storage.stores.interactions.store(
                visitors.enumerated().map { .opening(UInt64($0 + 1), message, reference, by: $1) }, at: .noon)
            try await fixture.makeOld(before: Schema.visitors)
            let reopened = try SQLiteFixture(fixture.folder)
            let store = reopened.storage.stores.interactions
            let all = try await store.interactions(matching: InteractionQuery(), limit: 9, in: reopened.ports.acme)
            // The flag of the fourth was that it is no machine.
            #expect(
                all.map(\.visitor) == [
                    .formerPerson, .formerPerson, .formerMachine, .formerPerson, .formerMachine,
                ])
            #expect(all.map(\.visitor.reason) == Array(repeating: .notKept, count: 5))
            try await store.store([.opening(9, message, reference, by: .yahooMailProxy)], at: .noon)
            let asked = InteractionQuery(visitor: .cannotTell)
            let found = try await store.interactions(matching: asked, limit: 9, in: reopened.ports.acme)
            #expect(found.map(\.visitor) == [.yahooMailProxy])
            try reopened.storage.close()
        }
    }

    @Test("interactions of a file without positions keep their order and their readers' places")
    func positionsBegin() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            let noon = TimeOrderedNumber.lowerBound(at: .noon)
            let old = (1...3).map { SpooledOccurrence.click(noon + $0, message, reference) }
            try await fixture.storage.stores.interactions.store(old, at: .noon)
            try await fixture.makeOld(before: Schema.interactionPositions)
            let reopened = try SQLiteFixture(fixture.folder)
            let store = reopened.storage.stores.interactions
            let acme = reopened.ports.acme
            // A click that was spooled before all of them and is drained now.
            try await store.store([.click(noon - 1, message, reference)], at: .noon)
            let all = try await store.interactions(matching: InteractionQuery(), limit: 9, in: acme)
            #expect(all.map(\.id) == old.map(\.id) + [InteractionID(TimeOrderedNumber(known: noon - 1))])
            #expect(all.prefix(3).map(\.position.number) == old.map(\.id.number))
            for cursor in [InteractionFeedCursor.interaction(old[1].id), .position(all[1].position)] {
                let rest = try await store.interactions(matching: InteractionQuery(after: cursor), limit: 9, in: acme)
                #expect(rest == Array(all.dropFirst(2)))
            }
            try reopened.storage.close()
        }
    }

    @Test("interactions that were stored before the index had all that counting reads are counted on")
    func judgedInteractionsBegin() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            try await fixture.storage.stores.interactions.store(
                [1, 2].map { Occurrence.click(message, reference, link: $0, at: .noon).spooled(UInt64($0)) }, at: .noon)
            try await fixture.makeOld(before: Schema.judgedInteractions)
            let reopened = try SQLiteFixture(fixture.folder)
            let third = Occurrence.click(message, reference, link: 3, at: .noon).spooled(3)
            try await reopened.storage.stores.interactions.store([third], at: .noon)
            let clicks = try await reopened.ports.report(of: message).activity.counts[.kind(.pushLinkClicked)]
            #expect(clicks.suspected == 3 && clicks.people == 0)
            try reopened.storage.close()
        }
    }
}
