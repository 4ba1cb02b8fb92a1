package import Consent
import Cryptography
package import Identifiers
import JSON

/// Renders the entries of stored rows: the same bytes when a row is appended and whenever it is read again.
///
/// It reuses its memory and the parts that adjacent entries have in common, because a decision's entry must not take
/// longer than one or two microseconds. ``LedgerEntry`` and ``PrivateFields`` are the simple forms of the same. Must be
/// used by one thread at a time.
package struct EntryRenderer: ~Copyable {
    /// The entry rendered last.
    package var entry: [UInt8] { templateIndex.map { templates[$0].entry } ?? other }
    /// The private fields of the entry rendered last; empty if they are not known any more.
    package private(set) var fields: [UInt8] = []

    private var committer = CommitmentHasher()
    private var hasher = TreeHasher()
    private var templates: [DecisionTemplate]
    /// The template that has the last entry; `nil` if it is in `other`.
    private var templateIndex: Int?
    private var other: [UInt8] = []
    private var messageFields = MessageFields()

    package init() {
        templates = DecisionTemplate.all(about: nil)
        other.reserveCapacity(512)
        fields.reserveCapacity(1024)
    }

    /// Renders a decision's entry.
    ///
    /// - Parameter recipient: `nil` for a decision about a recipient who was erased before.
    package mutating func render(
        _ id: DecisionID, about activity: TrackedActivity? = nil, reason: DecisionReason, enforcement: Enforcement,
        of message: MessageID, purpose: Purpose, recipient: RecipientID?, consent: ConsentRecordID?,
        commitment source: CommitmentSource
    ) {
        fields.removeAll(keepingCapacity: true)
        if case .salt = source {
            messageFields.beAbout(message, purpose)
            fields.append(contentsOf: Self.consentKey)
            if let consent { fields.appendQuoted(consent.number) } else { fields.append(contentsOf: Self.null) }
            fields.append(contentsOf: messageFields.json)
            if let recipient {
                fields.appendJSONString(recipient.text)
            } else {
                fields.append(contentsOf: Self.null)
            }
            fields.append(UInt8(ascii: "}"))
        }
        let templateIndex = templateIndex(activity, reason, enforcement)
        if let commit = commitment(source), templates[templateIndex].fill(id, commit) {
            self.templateIndex = templateIndex
        } else {
            begin(at: id.number.timestamp, about: activity, source)
            other.append(contentsOf: #"","enforcement":"\#(enforcement.rawValue)","id":"#.utf8)
            other.appendQuoted(id.number)
            other.append(contentsOf: DecisionTemplate.end(reason).dropFirst())
        }
    }

    /// Renders a consent record's entry.
    ///
    /// - Parameter recipient: `nil` after the recipient was erased; then the commitment must not come from a salt.
    package mutating func render(
        _ record: ConsentRecord, about recipient: RecipientID?, commitment source: CommitmentSource
    ) {
        fields.removeAll(keepingCapacity: true)
        var source = source
        if case .salt = source {
            if let recipient { fields = PrivateFields.consent(record, about: recipient) } else { source = .missing }
        }
        begin(at: record.recordedAt, source)
        other.append(contentsOf: #"","id":"#.utf8)
        other.appendQuoted(record.id.number)
        other.append(contentsOf: #","type":"consent","v":1}"#.utf8)
    }

    /// Renders the entry of an access.
    ///
    /// - Parameter source: the source of the commitment; must not be a salt for an access without a reason.
    package mutating func render(_ access: AccessEntry, commitment source: CommitmentSource) {
        fields.removeAll(keepingCapacity: true)
        var source = source
        if case .salt = source {
            if let reason = access.reason {
                fields = PrivateFields.access(reason: reason, recipient: access.recipient)
            } else {
                source = .missing
            }
        }
        begin(at: access.accessedAt, source)
        other.append(contentsOf: #"","id":"#.utf8)
        other.appendQuoted(access.id.number)
        other.append(contentsOf: #","type":"access","v":1,"what":"\#(access.what.rawValue)","who":"#.utf8)
        other.appendJSONString(access.who.description)
        other.append(UInt8(ascii: "}"))
    }

    /// Takes an entry that is stored itself.
    package mutating func take(_ json: [UInt8]) {
        fields.removeAll(keepingCapacity: true)
        templateIndex = nil
        other = json
    }

    /// The hash of the entry rendered last.
    package mutating func leaf() -> TreeHash {
        if let templateIndex { hasher.leaf(ofPrefixed: templates[templateIndex].bytes) } else { hasher.leaf(other) }
    }

    /// The commitment of the entry rendered last; `nil` if its fields are not known any more.
    package mutating func commitment(under salt: Salt) -> Commitment? {
        fields.isEmpty ? nil : committer.commitment(to: fields, salt: salt)
    }

    private mutating func begin(
        at instant: Timestamp, about activity: TrackedActivity? = nil, _ source: CommitmentSource
    ) {
        templateIndex = nil
        other.removeAll(keepingCapacity: true)
        other.append(contentsOf: DecisionTemplate.start(activity))
        other.append(contentsOf: #""at":"\#(instant.rfc3339)","commit":""#.utf8)
        if let commitment = commitment(source) { Base64.append(commitment.bytes.span, to: &other) }
    }

    /// Most ledgers have no decisions about one activity, so those templates are made when the first one is rendered.
    private mutating func templateIndex(
        _ activity: TrackedActivity?, _ reason: DecisionReason, _ enforcement: Enforcement
    ) -> Int {
        let index = DecisionTemplate.templateIndex(reason, enforcement)
        guard let activity else { return index }
        if templates.count == DecisionTemplate.count {
            for activity in TrackedActivity.allCases { templates += DecisionTemplate.all(about: activity) }
        }
        return Int(activity.code) * DecisionTemplate.count + index
    }

    private mutating func commitment(_ source: CommitmentSource) -> Commitment? {
        switch source {
        case .salt(let salt): committer.commitment(to: fields, salt: salt)
        case .kept(let commitment): commitment
        case .missing: nil
        }
    }

    private static let consentKey = Array(#"{"consent":"#.utf8)
    private static let null = Array("null".utf8)
}

/// The part of the private fields that all decisions about one message have in common.
private struct MessageFields {
    private var message: MessageID?
    private var purpose: Purpose?
    private(set) var json: [UInt8] = []

    mutating func beAbout(_ message: MessageID, _ purpose: Purpose) {
        guard message != self.message || purpose != self.purpose else { return }
        (self.message, self.purpose) = (message, purpose)
        json = Array(#","message":""#.utf8)
        json.appendHexadecimal(message.number.rawValue)
        json.append(contentsOf: #"","purpose":"#.utf8)
        json.appendJSONString(purpose.description)
        json.append(contentsOf: #","recipient":"#.utf8)
    }
}

/// The entry of a decision with one reason and one enforcement, in which every variable part has a fixed length.
private struct DecisionTemplate {
    /// The prefix byte of a leaf (RFC 6962, 2.1), and the entry.
    private(set) var bytes: [UInt8]
    private var instant = Timestamp.distantPast

    /// The number of templates for one activity, or for both together.
    static let count = Enforcement.allCases.count * DecisionReason.allCases.count

    private let momentAt: Int
    private let commitAt: Int
    private let idAt: Int
    private static let idLength = 16
    /// The length of 32 bytes in Base64.
    private static let commitLength = 44

    var entry: [UInt8] { Array(bytes.dropFirst()) }

    /// The templates of all enforcements and reasons, in the order of ``templateIndex(_:_:)``.
    static func all(about activity: TrackedActivity?) -> [DecisionTemplate] {
        Enforcement.allCases.flatMap { enforcement in
            DecisionReason.allCases.map { DecisionTemplate(activity, $0, enforcement) }
        }
    }

    private init(_ activity: TrackedActivity?, _ reason: DecisionReason, _ enforcement: Enforcement) {
        bytes = [TreeHasher.leafPrefix] + Self.start(activity) + Array(#""at":""#.utf8)
        momentAt = bytes.count
        bytes += Array(#"\#(Timestamp.distantPast.rfc3339)","commit":""#.utf8)
        commitAt = bytes.count
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: Self.commitLength) + Array(#"","#.utf8)
        bytes += #""enforcement":"\#(enforcement.rawValue)","id":""#.utf8
        idAt = bytes.count
        bytes += [UInt8](repeating: 0, count: Self.idLength) + Self.end(reason)
    }

    /// The index among all enforcements and reasons: one enforcement after another.
    static func templateIndex(_ reason: DecisionReason, _ enforcement: Enforcement) -> Int {
        let reasons =
            switch reason {
            case .consentGiven: 0
            case .notOptedOut: 1
            case .noConsentRecord: 2
            case .consentExpired: 3
            case .consentRefused: 4
            case .consentWithdrawn: 5
            case .consentRevoked: 6
            case .consentInvalidated: 7
            case .recipientErased: 8
            case .trackingOffForMessage: 9
            }
        return enforcement == .restrictive ? reasons : DecisionReason.allCases.count + reasons
    }

    /// The beginning of the entry of a decision about this activity, or about both.
    static func start(_ activity: TrackedActivity?) -> [UInt8] {
        Array((activity.map { #"{"activity":"\#($0.rawValue)","# } ?? "{").utf8)
    }

    static func end(_ reason: DecisionReason) -> [UInt8] {
        Array(
            #"","outcome":"\#(reason.outcome.rawValue)","reason":"\#(reason.rawValue)","type":"decision","v":1}"#.utf8)
    }

    /// - Returns: whether the id has the length of ids.
    mutating func fill(_ id: DecisionID, _ commit: Commitment) -> Bool {
        guard id.number.rawValue.leadingZeroBitCount < 4 else { return false }
        let isLater = id.number.timestamp != instant
        if isLater { instant = id.number.timestamp }
        let (instant, momentAt, commitAt, idAt) = (instant, momentAt, commitAt, idAt)
        var text = bytes.mutableSpan
        if isLater {
            for (offset, byte) in instant.rfc3339.utf8.enumerated() { text[momentAt + offset] = byte }
        }
        Base64.write(commit.bytes.span, over: &text, at: commitAt)
        for digit in 0..<Self.idLength {
            let value = UInt8(truncatingIfNeeded: id.number.rawValue >> UInt64(60 - 4 * digit) & 0xF)
            text[idAt + digit] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func appendQuoted(_ number: TimeOrderedNumber) {
        append(UInt8(ascii: "\""))
        appendHexadecimal(number.rawValue)
        append(UInt8(ascii: "\""))
    }

    /// As `TimeOrderedNumber.description` writes it: lower case, no leading zeros.
    fileprivate mutating func appendHexadecimal(_ number: UInt64) {
        var shift = Swift.max(60 - number.leadingZeroBitCount / 4 * 4, 0)
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }
}
