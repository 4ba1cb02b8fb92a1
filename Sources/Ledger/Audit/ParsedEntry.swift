import ASCII
import Consent
import Identifiers
import JSON

/// An entry in exactly the format of docs/formats/ledger.md: only what ``LedgerEntry`` writes is accepted.
enum ParsedEntry {
    case decision(ParsedDecision)
    case consent(id: ConsentRecordID, recordedAt: Timestamp, commit: Commitment)
    /// How many decisions and consent records lost their recipient.
    case erasure(decisions: UInt64, consents: UInt64)
    case enforcement(Enforcement)
    /// How many decisions lost their recipient.
    case purge(decisions: UInt64)
    case access(id: AccessID, commit: Commitment)
    /// How many accesses lost their recipient and their reason.
    case accessesForgotten(UInt64)
    /// A kind that this version does not know: the entry is proved, but not interpreted.
    case other

    /// - Returns: `nil` if it is not an entry.
    init?(_ entry: ArraySlice<UInt8>, _ instants: inout TimestampReader) {
        var scanner = JSONScanner(entry)
        if let forgotten = Self.forgotten(scanner, &instants) {
            self = forgotten
            return
        }
        let activity = Self.activity(&scanner)
        if scanner.take(activity == nil ? Text.at : Text.laterAt), let text = scanner.string(),
            let instant = instants.read(text), let known = Self.known(&scanner, at: instant, activity)
        {
            self = known
        } else {
            guard Self.isUnknown(entry) else { return nil }
            self = .other
        }
    }

    /// The first member, if it is the activity of a decision and is valid.
    private static func activity(_ scanner: inout JSONScanner) -> TrackedActivity? {
        var ahead = scanner
        guard ahead.take(Text.activity), let activity = ahead.word(TrackedActivity.self) else { return nil }
        scanner = ahead
        return activity
    }

    /// The entry about forgotten accesses, the only kind that begins with a count.
    private static func forgotten(_ scanner: JSONScanner, _ instants: inout TimestampReader) -> ParsedEntry? {
        var scanner = scanner
        guard scanner.take(Text.accesses), let count = scanner.canonicalCount(), scanner.take(Text.laterAt),
            let text = scanner.string(), instants.read(text) != nil, scanner.ends(Text.forgottenEnd)
        else { return nil }
        return .accessesForgotten(count)
    }

    private static func known(
        _ scanner: inout JSONScanner, at instant: Timestamp, _ activity: TrackedActivity?
    ) -> ParsedEntry? {
        if scanner.take(Text.commit) {
            guard let commit = scanner.string().flatMap(Commitment.init(base64:)) else { return nil }
            return committed(&scanner, at: instant, commit, activity)
        }
        // Only a decision has an activity.
        guard activity == nil else { return nil }
        if scanner.take(Text.enforcement) {
            guard let enforcement = scanner.word(Enforcement.self), scanner.ends(Text.enforcementEnd) else {
                return nil
            }
            return .enforcement(enforcement)
        }
        var consents: UInt64?
        if scanner.take(Text.consents) {
            consents = scanner.canonicalCount()
            guard consents != nil else { return nil }
        }
        guard scanner.take(Text.decisions), let decisions = scanner.canonicalCount(),
            scanner.take(Text.interactions), scanner.canonicalCount() != nil
        else { return nil }
        if let consents {
            return scanner.ends(Text.erasureEnd) ? .erasure(decisions: decisions, consents: consents) : nil
        }
        return scanner.ends(Text.purgeEnd) ? .purge(decisions: decisions) : nil
    }

    private static func committed(
        _ scanner: inout JSONScanner, at instant: Timestamp, _ commit: Commitment, _ activity: TrackedActivity?
    ) -> ParsedEntry? {
        var enforcement: Enforcement?
        if scanner.take(Text.enforcement) {
            enforcement = scanner.word(Enforcement.self)
            guard enforcement != nil else { return nil }
        }
        guard scanner.take(Text.id), let text = scanner.string() else { return nil }
        guard let enforcement else {
            if activity == nil, let id = AccessID(canonical: text), id.number.timestamp == instant,
                scanner.accessEnd()
            {
                return .access(id: id, commit: commit)
            }
            guard activity == nil, let id = ConsentRecordID(canonical: text), scanner.ends(Text.consentEnd) else {
                return nil
            }
            return .consent(id: id, recordedAt: instant, commit: commit)
        }
        guard let id = DecisionID(canonical: text), scanner.take(Text.outcome),
            let outcome = scanner.word(DecisionOutcome.self), scanner.take(Text.reason),
            let reason = scanner.word(DecisionReason.self), reason.outcome == outcome, scanner.ends(Text.decisionEnd)
        else { return nil }
        return .decision(
            ParsedDecision(
                id: id, instant: instant, activity: activity, reason: reason, enforcement: enforcement, commit: commit))
    }

    /// Whether it is canonical JSON with the members that every entry has, and of an unknown kind.
    private static func isUnknown(_ entry: ArraySlice<UInt8>) -> Bool {
        guard let value = try? JSONValue.parse(entry), let canonical = try? value.canonical(),
            canonical.elementsEqual(entry), case .object(let object) = value,
            case .string(let at) = object["at"], Timestamp(canonical: Array(at.utf8)[...]) != nil,
            case .string(let type) = object["type"], case .number(let version) = object["v"], version.uint64 == 1
        else { return false }
        return !["decision", "consent", "erasure", "enforcement", "purge", "access", "accessesForgotten"].contains(type)
    }

    private enum Text {
        static let activity = Array(#"{"activity":"#.utf8)
        static let at = Array(#"{"at":"#.utf8)
        static let laterAt = Array(#","at":"#.utf8)
        static let commit = Array(#","commit":"#.utf8)
        static let enforcement = Array(#","enforcement":"#.utf8)
        static let consents = Array(#","consents":"#.utf8)
        static let decisions = Array(#","decisions":"#.utf8)
        static let interactions = Array(#","interactions":"#.utf8)
        static let id = Array(#","id":"#.utf8)
        static let outcome = Array(#","outcome":"#.utf8)
        static let reason = Array(#","reason":"#.utf8)
        static let decisionEnd = Array(#","type":"decision","v":1}"#.utf8)
        static let consentEnd = Array(#","type":"consent","v":1}"#.utf8)
        static let erasureEnd = Array(#","type":"erasure","v":1}"#.utf8)
        static let enforcementEnd = Array(#","type":"enforcement","v":1}"#.utf8)
        static let accesses = Array(#"{"accesses":"#.utf8)
        static let forgottenEnd = Array(#","type":"accessesForgotten","v":1}"#.utf8)
        static let purgeEnd = Array(#","type":"purge","v":1}"#.utf8)
    }
}

/// The public members of a decision's entry.
struct ParsedDecision {
    let id: DecisionID
    /// The time of the decision.
    let instant: Timestamp
    /// The activity; `nil` for clicks and opens together.
    let activity: TrackedActivity?
    let reason: DecisionReason
    let enforcement: Enforcement
    let commit: Commitment
}

extension JSONScanner {
    /// A string that is one of some given words.
    fileprivate mutating func word<Word: RawRepresentable>(_ type: Word.Type) -> Word? where Word.RawValue == String {
        string().flatMap { String(validating: $0, as: UTF8.self) }.flatMap(Word.init(rawValue:))
    }

    /// Reads the rest of an access after its id, if it has the right form.
    fileprivate mutating func accessEnd() -> Bool {
        var ahead = self
        // An unknown word may come from a later version.
        guard ahead.take(Array(#","type":"access","v":1,"what":"#.utf8)), let what = ahead.string(),
            !what.isEmpty, what.allSatisfy(\.isLetter), ahead.take(Array(#","who":"#.utf8)),
            let who = ahead.canonicalString(), (try? AccessorName(who)) != nil, ahead.ends(Array("}".utf8))
        else { return false }
        self = ahead
        return true
    }

    fileprivate mutating func ends(_ text: [UInt8]) -> Bool { take(text) && rest.isEmpty }
}
