import Consent
import Identifiers
import Ledger
import TestSupport
import Testing

@testable import UseCases

@Suite("Entries of an export without private fields")
struct ClosedEntriesTests {
    enum Kind: CaseIterable {
        case decision
        case consent
        case access

        func subject() throws -> LedgerItem.Subject {
            let number = try Samples.number(7)
            return switch self {
            case .decision: .decision(DecisionID(number))
            case .consent: .consent(ConsentRecordID(number))
            case .access: .access(AccessID(number))
            }
        }

        /// An event that accounts for so many entries of this kind, and for none of another.
        func event(_ count: Int) -> LedgerItem {
            let entry: LedgerEntry =
                switch self {
                case .decision: .purge(at: .noon, decisions: count, interactions: 5)
                case .consent: .erasure(at: .noon, ErasureCounts(consents: count, decisions: 0, interactions: 5))
                case .access: .accessesForgotten(at: .noon, accesses: count)
                }
            return LedgerItem(leaf: 9, subject: .event, entry: entry.json, opening: nil)
        }
    }

    private func item(_ kind: Kind, isOpen: Bool = false) throws -> LedgerItem {
        var generator = SystemRandomNumberGenerator()
        let opening = LedgerItem.Opening(salt: Salt(using: &generator), fields: Array("{}".utf8))
        return LedgerItem(
            leaf: 3, subject: try kind.subject(), entry: Array("{}".utf8), opening: isOpen ? opening : nil)
    }

    @Test("an entry with its private fields needs no account", arguments: Kind.allCases)
    func open(kind: Kind) throws {
        var closed = ClosedEntries()
        closed.add(try item(kind, isOpen: true))
        #expect(!closed.haveNoAccount)
    }

    @Test("an event accounts for as many entries as it says", arguments: Kind.allCases)
    func accounted(kind: Kind) throws {
        var closed = ClosedEntries()
        for _ in 0..<2 { closed.add(try item(kind)) }
        closed.add(kind.event(1))
        #expect(closed.haveNoAccount)
        closed.add(kind.event(1))
        #expect(!closed.haveNoAccount)
    }

    @Test("an event does not account for entries of another kind", arguments: Kind.allCases)
    func otherKind(kind: Kind) throws {
        for other in Kind.allCases where other != kind {
            var closed = ClosedEntries()
            closed.add(try item(kind))
            closed.account(by: other.event(10))
            #expect(closed.haveNoAccount)
        }
    }

    @Test("an entry that is no event accounts for nothing", arguments: Kind.allCases)
    func noEvent(kind: Kind) throws {
        var closed = ClosedEntries()
        closed.add(try item(kind))
        closed.account(
            by: LedgerItem(leaf: 4, subject: try kind.subject(), entry: kind.event(1).entry, opening: nil))
        #expect(closed.haveNoAccount)
    }

    @Test(
        "bytes that were changed account for nothing",
        arguments: [
            "", "[]", #"{"consents":-1,"type":"erasure"}"#, #"{"consents":4294967296,"type":"erasure"}"#,
            #"{"consents":"1","type":"erasure"}"#, #"{"consents":1"#,
        ])
    func changed(entry: String) throws {
        var closed = ClosedEntries()
        closed.add(try item(.consent))
        closed.add(LedgerItem(leaf: 9, subject: .event, entry: Array(entry.utf8), opening: nil))
        #expect(closed.haveNoAccount)
    }
}
