import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

/// The manifest is unsigned: what it says of its filters must fit what is in the export.
@Suite("The filters of an export, and what is in it")
struct ExportContentsTests {
    @Test("nothing in it fits all filters")
    func nothing() throws {
        try ExportContents().requireFitting(try filters(recipient: "ana", message: 3, from: 0, to: 1))
    }

    @Test("one recipient and one message fit their own filters and none")
    func fitting() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), try fields("ana@example.com", message: 3))
        contents.add(try decision(at: .noon + 5), try fields("ana@example.com", message: 3))
        for filters in [
            try filters(), try filters(recipient: "ana@example.com"), try filters(message: 3),
            try filters(from: 0, to: 6),
            // What only the organization's settings can tell apart.
            try filters(recipient: "ANA@example.com", message: 3, from: -1),
        ] { try contents.requireFitting(filters) }
        for filters in [
            try filters(recipient: "bea@example.com"), try filters(message: 4), try filters(from: 1),
            try filters(recipient: "anä@example.com"), try filters(recipient: "ana@xn--exmple-cua.com"),
            try filters(to: 5),
            try filters(recipient: "ana@example.com", to: 5),
        ] { #expect(throws: AuditFault.self) { try contents.requireFitting(filters) } }
    }

    @Test("spellings of one address in Unicode fit, and other addresses do not")
    func spellings() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), try fields("zo\u{EB}@ex\u{E4}mple.com", message: 3))
        for spelling in ["zo\u{EB}@ex\u{E4}mple.com", "zoe\u{308}@ex\u{E4}mple.com", "zo\u{EB}@xn--exmple-cua.com"] {
            try contents.requireFitting(try filters(recipient: spelling))
        }
        for other in ["zo\u{E8}@ex\u{E4}mple.com", "ana@example.com", "zo\u{EB}@example.com"] {
            #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: other)) }
        }
    }

    @Test("a recipient that is no address fits only a filter with the same bytes")
    func otherBytes() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), try fields("zo\u{EB}", message: 3))
        try contents.requireFitting(try filters(recipient: "zo\u{EB}"))
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: "zoe\u{308}")) }
    }

    @Test("several recipients or messages fit no filter that names one")
    func several() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), try fields("ana", message: 3))
        contents.add(try decision(at: .noon), try fields("bea", message: 4))
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: "ana")) }
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(message: 4)) }
        try contents.requireFitting(try filters())
    }

    @Test("a consent record of somebody else, and an interaction with another message, are found out")
    func others() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), try fields("ana", message: 3))
        let record = ConsentRecord(
            id: ConsentRecordID(try number(1)), purpose: .tracking, state: .given, occurredAt: .noon, recordedAt: .noon,
            validUntil: nil, evidence: nil)
        var consents = contents
        let fields = try #require(ConsentFields(PrivateFields.consent(record, about: try RecipientID("bea"))[...]))
        consents.add(fields)
        #expect(throws: AuditFault.self) { try consents.requireFitting(try filters(recipient: "ana")) }
        var instants = TimestampReader()
        let instant = Timestamp.noon.rfc3339
        let line =
            #"{"id":"3357d7d9f6000001","type":"PushLinkClicked","occurredAt":"\#(instant)","recordedAt":"\#(instant)","#
            + #""recipient":null,"message":"\#(MessageID(try number(4)))","link":null,"action":null,"#
            + #""source":"redirect","automated":false,"first":true}"#
        contents.add(try #require(InteractionLine(Array(line.utf8)[...], &instants)))
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(message: 3)) }
        try contents.requireFitting(try filters(recipient: "ana"))
    }

    @Test("a decision without private fields still has its time, and fits its message but no recipient")
    func closed() throws {
        var contents = ExportContents()
        contents.add(try decision(at: .noon), nil)
        try contents.requireFitting(try filters(message: 3, from: 0, to: 1))
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(from: 1)) }
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: "ana")) }
    }

    @Test("a consent record or an access without private fields fits no recipient")
    func closedOthers() throws {
        var record = ExportContents()
        record.add(nil as ConsentFields?)
        var access = ExportContents()
        access.add(nil as AccessFields?)
        for contents in [record, access] {
            #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: "ana")) }
            try contents.requireFitting(try filters(from: 0))
        }
        try record.requireFitting(try filters(message: 3))
        #expect(throws: AuditFault.self) { try access.requireFitting(try filters(message: 3)) }
    }

    @Test("an entry that names no recipient, such as an erasure, fits times alone")
    func event() throws {
        var contents = ExportContents()
        contents.addEvent()
        try contents.requireFitting(try filters(from: 0, to: 1))
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(recipient: "ana")) }
        #expect(throws: AuditFault.self) { try contents.requireFitting(try filters(message: 3)) }
    }

    /// - Parameters:
    ///   - from: milliseconds after noon.
    ///   - to: milliseconds after noon, excluded.
    private func filters(
        recipient: String? = nil, message: UInt64? = nil, from: Int64? = nil, to: Int64? = nil
    ) throws -> AuditFilters {
        AuditFilters(
            recipient: try recipient.map { try RecipientID($0) },
            message: try message.map { MessageID(try number($0)) },
            from: from.map { Timestamp.noon + $0 }, to: to.map { Timestamp.noon + $0 })
    }

    private func decision(at instant: Timestamp) throws -> ParsedDecision {
        ParsedDecision(
            id: DecisionID(try number(9)), instant: instant, activity: nil, reason: .noConsentRecord,
            enforcement: .restrictive, commit: Commitment(InlineArray(repeating: 1)))
    }

    private func fields(_ recipient: String, message: UInt64) throws -> DecisionFields {
        let written = PrivateFields.decision(
            recipient: try RecipientID(recipient), message: MessageID(try number(message)), purpose: .tracking,
            consent: nil)
        return try #require(DecisionFields(written[...]))
    }

    private func number(_ value: UInt64) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: value))
    }
}
