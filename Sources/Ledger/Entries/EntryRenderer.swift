package import Consent
package import Cryptography
package import Identifiers
import JSON

/// Renders the entries of stored rows: the same bytes when a row is appended and whenever it is read again.
///
/// It writes into memory that it keeps, and keeps what neighbouring entries have in common, because a decision's entry
/// must not cost more than a microsecond or two. ``LedgerEntry`` and ``PrivateFields`` say the same at leisure. Belongs
/// to one thread at a time.
package struct EntryRenderer: ~Copyable {
    /// The entry rendered last.
    package private(set) var entry: [UInt8] = []
    /// The private fields of the entry rendered last; empty where they are not known any more.
    package private(set) var fields: [UInt8] = []

    private var committer: Committer
    private var hasher = TreeHasher()
    private var beginning = Beginning()
    private var messageFields = MessageFields()
    private let ends: [DecisionReason: [UInt8]]

    package init() throws(CryptographyError) {
        committer = try Committer()
        ends = Dictionary(uniqueKeysWithValues: DecisionReason.allCases.map { ($0, Self.end($0)) })
        entry.reserveCapacity(512)
        fields.reserveCapacity(1024)
    }

    /// Renders a decision's entry.
    ///
    /// - Parameter recipient: `nil` for a decision about somebody who was erased before.
    package mutating func render(
        _ id: DecisionID, reason: DecisionReason, enforcement: Enforcement, of message: MessageID, purpose: Purpose,
        recipient: RecipientID?, consent: ConsentRecordID?, seal: EntrySeal
    ) {
        fields.removeAll(keepingCapacity: true)
        if case .salt = seal {
            fields.append(contentsOf: #"{"consent":"#.utf8)
            if let consent { fields.appendQuoted(consent.number) } else { fields.append(contentsOf: "null".utf8) }
            fields.append(contentsOf: messageFields.json(message, purpose))
            if let recipient {
                fields.appendJSONString(recipient.text)
            } else {
                fields.append(contentsOf: "null".utf8)
            }
            fields.append(UInt8(ascii: "}"))
        }
        begin(at: id.number.timestamp, seal)
        entry.append(contentsOf: enforcement == .restrictive ? Self.restrictive : Self.nonRestrictive)
        entry.appendHexadecimal(id.number.rawValue)
        entry.append(contentsOf: ends[reason] ?? Self.end(reason))
    }

    /// Renders a consent record's entry.
    ///
    /// - Parameter recipient: `nil` once they are erased, and then the seal is no salt.
    package mutating func render(_ record: ConsentRecord, about recipient: RecipientID?, seal: EntrySeal) {
        fields.removeAll(keepingCapacity: true)
        var seal = seal
        if case .salt = seal {
            if let recipient { fields = PrivateFields.consent(record, about: recipient) } else { seal = .missing }
        }
        begin(at: record.recordedAt, seal)
        entry.append(contentsOf: #"","id":"#.utf8)
        entry.appendQuoted(record.id.number)
        entry.append(contentsOf: #","type":"consent","v":1}"#.utf8)
    }

    /// Takes an entry that is stored as it is.
    package mutating func take(_ json: [UInt8]) {
        fields.removeAll(keepingCapacity: true)
        entry = json
    }

    /// The hash of the entry rendered last.
    package mutating func leaf() -> TreeHash { hasher.leaf(entry) }

    /// What the entry rendered last is committed to; `nil` where its fields are not known any more.
    package mutating func commitment(under salt: Salt) -> Commitment? {
        fields.isEmpty ? nil : committer.commitment(to: fields, salt: salt)
    }

    private mutating func begin(at moment: Timestamp, _ seal: EntrySeal) {
        entry.removeAll(keepingCapacity: true)
        entry.append(contentsOf: beginning.json(moment))
        switch seal {
        case .salt(let salt): Base64.append(committer.commitment(to: fields, salt: salt).bytes.span, to: &entry)
        case .commitment(let commitment): Base64.append(commitment.bytes.span, to: &entry)
        case .missing: break
        }
    }

    private static let restrictive = Array(#"","enforcement":"restrictive","id":""#.utf8)
    private static let nonRestrictive = Array(#"","enforcement":"nonRestrictive","id":""#.utf8)

    private static func end(_ reason: DecisionReason) -> [UInt8] {
        Array(
            #"","outcome":"\#(reason.outcome.rawValue)","reason":"\#(reason.rawValue)","type":"decision","v":1}"#.utf8)
    }
}

/// How entries of one moment begin.
private struct Beginning {
    private var moment: Timestamp?
    private var text: [UInt8] = []

    mutating func json(_ moment: Timestamp) -> [UInt8] {
        if moment != self.moment {
            self.moment = moment
            text = Array(#"{"at":"\#(moment.rfc3339)","commit":""#.utf8)
        }
        return text
    }
}

/// What the private fields of all decisions about one message have in common.
private struct MessageFields {
    private var message: MessageID?
    private var purpose: Purpose?
    private var text: [UInt8] = []

    mutating func json(_ message: MessageID, _ purpose: Purpose) -> [UInt8] {
        if message != self.message || purpose != self.purpose {
            (self.message, self.purpose) = (message, purpose)
            text = Array(#","message":""#.utf8)
            text.appendHexadecimal(message.number.rawValue)
            text.append(contentsOf: #"","purpose":"#.utf8)
            text.appendJSONString(purpose.description)
            text.append(contentsOf: #","recipient":"#.utf8)
        }
        return text
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
