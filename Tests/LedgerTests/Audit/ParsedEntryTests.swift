import Consent
import Cryptography
import Identifiers
import TestSupport
import Testing

@testable import Ledger

/// The format has one way to write each entry; what is read must be what was written.
@Suite("Reading an entry")
struct ParsedEntryTests {
    private static let commit = Commitment(InlineArray(repeating: 0xAB))

    @Test("gives back what was written, for every reason and enforcement")
    func decisions() throws {
        let id = DecisionID(try TimeOrderedNumber("3357d7d9f4000001"))
        for (reason, activity) in DecisionReason.allCases.flatMap({ reason in
            [nil, TrackedActivity.clicks, .opens].map { (reason, $0) }
        }) {
            for enforcement in Enforcement.allCases {
                let entry = LedgerEntry.decision(
                    id: id, activity: activity, reason: reason, enforcement: enforcement, commit: Self.commit)
                guard case .decision(let decision)? = parse(entry.json) else {
                    Issue.record("\(entry)")
                    continue
                }
                #expect(decision.id == id && decision.instant == id.number.timestamp)
                #expect(decision.reason == reason && decision.enforcement == enforcement)
                #expect(decision.activity == activity)
                #expect(decision.commit == Self.commit)
            }
        }
    }

    @Test("gives back what was written of the other kinds")
    func others() throws {
        let id = ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000001"))
        let who = try AccessorName(account: "é\"\\/")
        guard
            case .consent(id, .noon, Self.commit)? = parse(
                LedgerEntry.consent(id: id, recordedAt: .noon, commit: Self.commit).json),
            case .erasure(decisions: 2, consents: 1)? = parse(
                LedgerEntry.erasure(at: .noon, ErasureCounts(consents: 1, decisions: 2, interactions: 3)).json),
            case .enforcement(.nonRestrictive)? = parse(LedgerEntry.enforcement(at: .noon, .nonRestrictive).json),
            case .purge(decisions: 4)? = parse(LedgerEntry.purge(at: .noon, decisions: 4, interactions: 5).json),
            case .access(id: AccessID(id.number), commit: Self.commit)? = parse(
                LedgerEntry.access(
                    id: AccessID(id.number), who: who, what: .consents, commit: Self.commit
                ).json),
            case .accessesForgotten(7)? = parse(LedgerEntry.accessesForgotten(at: .noon, accesses: 7).json)
        else {
            Issue.record("an entry was read as another")
            return
        }
    }

    @Test("refuses every entry with a byte less, a byte more, or two bytes exchanged", arguments: 0..<6)
    func mutated(kind: Int) throws {
        let json = try Self.entries()[kind]
        for position in json.indices {
            var shorter = json
            shorter.remove(at: position)
            expectNothing(shorter, of: json)
            for byte in [UInt8(ascii: " "), UInt8(ascii: "0"), UInt8(ascii: "\""), 0, 0xFF] {
                var longer = json
                longer.insert(byte, at: position)
                expectNothing(longer, of: json)
            }
            if position + 1 < json.count, json[position] != json[position + 1] {
                var exchanged = json
                exchanged.swapAt(position, position + 1)
                expectNothing(exchanged, of: json)
            }
        }
    }

    @Test("takes a kind that it does not know for one, if it has what every entry has")
    func unknown() {
        let known = #"{"at":"2026-11-22T12:00:00.000Z","type":"merger","v":1}"#
        guard case .other? = parse(Array(known.utf8)) else {
            Issue.record("not read")
            return
        }
        for wrong in [
            #"{"at":"2026-11-22T12:00:00.000Z","type":"merger","v":2}"#,
            #"{"at":"2026-11-22T12:00:00Z","type":"merger","v":1}"#,
            #"{"type":"merger","v":1}"#, #"{"at":"2026-11-22T12:00:00.000Z","v":1}"#,
            #"{"at":"2026-11-22T12:00:00.000Z","type":"decision","v":1}"#,
            #"{"at":"2026-11-22T12:00:00.000Z","type":"merger", "v":1}"#,
            #"{"type":"merger","at":"2026-11-22T12:00:00.000Z","v":1}"#, "[]", "", "{}",
        ] {
            #expect(parse(Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }

    @Test(
        "takes an access to what a later version looks at, and refuses one by no name or at another time than its id's")
    func accesses() throws {
        let id = AccessID(try TimeOrderedNumber("3357d7d9f4000001"))
        let entry = String(
            decoding: LedgerEntry.access(id: id, who: .operator, what: .export, commit: Self.commit).json, as: UTF8.self
        )
        let changes: [(String, String, isRead: Bool)] = [
            (#""what":"export""#, #""what":"dossier""#, true), (#""what":"export""#, #""what":"""#, false),
            (#""what":"export""#, #""what":"a b""#, false), (#""who":"operator""#, #""who":"ana""#, false),
            (#""who":"operator""#, #""who":"key:""#, false), (#""who":"operator""#, #""who":1"#, false),
            ("\"at\":\"20", "\"at\":\"21", false), (#","who":"operator""#, "", false),
            (#""v":1"#, #""v":2"#, false), (#"{"at""#, #"{"accesses":1,"at""#, false),
        ]
        for (old, new, isRead) in changes {
            let changed = entry.replacing(old, with: new)
            try #require(changed != entry, "\(old)")
            #expect((parse(Array(changed.utf8)) != nil) == isRead, "\(changed)")
        }
    }

    @Test("refuses an activity of anything but a decision, and one that is none")
    func activities() throws {
        let entries = try Self.entries().map { String(decoding: $0, as: UTF8.self) }
        for entry in entries.dropFirst().dropLast() {
            let wrong = #"{"activity":"clicks","# + entry.dropFirst()
            #expect(parse(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        let decision = entries[0].dropFirst()
        for activity in ["views", "", "Clicks", "both"] {
            #expect(parse(Array((#"{"activity":"\#(activity)","# + decision).utf8)) == nil, "\(activity)")
        }
        for begin in [#"{"activity":null,"#, #"{"activity":1,"#, #"{"activity":"clicks","activity":"opens","#] {
            #expect(parse(Array((begin + decision).utf8)) == nil, "\(begin)")
        }
    }

    @Test("refuses a decision whose outcome does not follow from its reason")
    func contradiction() throws {
        let text = String(decoding: try Self.entries()[0], as: UTF8.self)
        let lie = text.replacing(#""outcome":"tracked""#, with: #""outcome":"untracked""#)
        #expect(lie != text && parse(Array(lie.utf8)) == nil)
    }

    @Test("an entry is called by its kind and id, and by its kind alone where the id is no plain word")
    func names() throws {
        #expect(try EntrySummary(Self.entries()[0][...])?.name == "decision 3357d7d9f4000001")
        #expect(try EntrySummary(Self.entries()[3][...])?.name == "change of enforcement")
        for id in ["\u{1B}[31m", "a b", String(repeating: "a", count: 65), "é"] {
            let entry = #"{"id":"\#(id)","type":"consent"}"#
            #expect(EntrySummary(Array(entry.utf8)[...])?.name == "consent record", "\(id)")
        }
        #expect(EntrySummary(Array(#"{"type":"merger"}"#.utf8)[...])?.name == "of a kind unknown here")
        #expect(EntrySummary(Array(#"{"type":"consent","id":"a"}"#.utf8)[...]) == nil)
        guard case .malformed? = EntrySummary(Array(#"{"commit":"x","type":"consent"}"#.utf8)[...])?.commit else {
            Issue.record("a text that is no commitment is taken for one, or for none")
            return
        }
    }

    private static func entries() throws -> [[UInt8]] {
        let number = try TimeOrderedNumber("3357d7d9f4000001")
        return [
            .decision(id: DecisionID(number), reason: .consentGiven, enforcement: .restrictive, commit: commit),
            .consent(id: ConsentRecordID(number), recordedAt: .noon, commit: commit),
            .erasure(at: .noon, ErasureCounts(consents: 1, decisions: 20, interactions: 3)),
            .enforcement(at: .noon, .restrictive), .purge(at: .noon, decisions: 40, interactions: 5),
            .decision(
                id: DecisionID(number), activity: .opens, reason: .consentGiven, enforcement: .restrictive,
                commit: commit),
        ].map { (entry: LedgerEntry) in entry.json }
    }

    private func parse(_ json: [UInt8]) -> ParsedEntry? {
        var instants = TimestampReader()
        return ParsedEntry(json[...], &instants)
    }

    /// A changed entry is refused, or it is exactly how the format writes another one: another digit, another type.
    private func expectNothing(_ changed: [UInt8], of json: [UInt8]) {
        let text = String(decoding: changed, as: UTF8.self)
        switch parse(changed) {
        case nil: break
        case .decision(let decision):
            let entry = LedgerEntry.decision(
                id: decision.id, activity: decision.activity, reason: decision.reason,
                enforcement: decision.enforcement, commit: decision.commit)
            // That the time is that of the id is checked with the other entries of an export.
            #expect(withoutTime(entry.json) == withoutTime(changed), "\(text)")
        case .consent(let id, let recordedAt, let commit):
            let entry = LedgerEntry.consent(id: id, recordedAt: recordedAt, commit: commit)
            #expect(entry.json == changed, "\(text)")
        case .erasure, .purge, .enforcement:
            #expect(
                changed.count(where: isDigit) != json.count(where: isDigit) || changed.count == json.count, "\(text)")
        case .access, .accessesForgotten: Issue.record("read as an access: \(text)")
        case .other:
            // Its type is another word now, and all else is how every entry has it.
            for type in ["decision", "consent", "erasure", "enforcement", "purge"] {
                #expect(!text.hasSuffix(#","type":"\#(type)","v":1}"#), "\(text)")
            }
            let hasBegin = text.hasPrefix(#"{"at":"2"#) || text.contains(/^\{"activity":"[^"]*","at":"2/)
            #expect(hasBegin && text.hasSuffix(#"","v":1}"#), "\(text)")
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The entry but for its time, which is always as long.
    private func withoutTime(_ json: [UInt8]) -> [UInt8] {
        guard let name = json.firstRange(of: Array(#""at":""#.utf8)) else { return json }
        let rest = json[name.upperBound...].dropFirst("2026-11-22T12:00:00.000Z".utf8.count)
        return Array(json[..<name.upperBound]) + Array(rest)
    }
}
