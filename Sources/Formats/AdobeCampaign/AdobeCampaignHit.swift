import ASCII
import Identifiers
import Interactions
import TrackingIDs

/// Hits of the mobile SDKs of Adobe Campaign Standard: `/r/?id={_mId},{_dId},{action}&mcId=…`, by GET or, from old
/// apps, by POST.
///
/// Everything is in the query, in any order. Its other parameters are ignored, including `mcId`, which identifies a
/// device. Only the spelling of the payload is accepted, except for the commas, which URL libraries encode.
package enum AdobeCampaignHit {
    /// - Parameter query: the part after the question mark, as it was sent. Reading allocates nothing.
    package static func read(query: Span<UInt8>) throws(DeviceReportError) -> DeviceReport {
        let hit = try hit(in: query)
        var position = hit.lowerBound
        let trackingID = try trackingID(query, &position, hit.upperBound)
        guard comma(query, &position, hit.upperBound) else { throw .broadlogMalformed }
        let message = try message(query, &position, hit.upperBound)
        guard comma(query, &position, hit.upperBound) else { throw .deliveryMalformed }
        let kind = try kind(query, position, hit.upperBound)
        return DeviceReport(kind, from: .adobeCampaign, SealedTrackingID(trackingID), claimedMessage: message)
    }

    /// The place of the value of the only parameter `id`.
    private static func hit(in query: Span<UInt8>) throws(DeviceReportError) -> Range<Int> {
        var found: Range<Int>?
        var start = 0
        while start < query.count {
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
            if let value = valueOfID(query, start..<end) {
                guard found == nil else { throw .hitRepeated }
                found = value
            }
            start = end + 1
        }
        guard let found else { throw .hitMissing }
        return found
    }

    private static func valueOfID(_ query: Span<UInt8>, _ parameter: Range<Int>) -> Range<Int>? {
        let start = parameter.lowerBound
        guard parameter.count >= 2, query[start] == UInt8(ascii: "i"), query[start + 1] == UInt8(ascii: "d") else {
            return nil
        }
        guard parameter.count > 2 else { return parameter.upperBound..<parameter.upperBound }
        guard query[start + 2] == UInt8(ascii: "=") else { return nil }
        return (start + 3)..<parameter.upperBound
    }

    /// Reads the letter h and 80 digits, in lower case: a payload has no other spelling.
    private static func trackingID(
        _ query: Span<UInt8>, _ position: inout Int, _ end: Int
    ) throws(DeviceReportError) -> InlineArray<40, UInt8> {
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        guard end - position > 2 * bytes.count, query[position] == UInt8(ascii: "h") else { throw .broadlogMalformed }
        position += 1
        for index in bytes.indices {
            guard let high = query[position].lowerCaseHexDigitValue,
                let low = query[position + 1].lowerCaseHexDigitValue
            else { throw .broadlogMalformed }
            bytes[index] = high << 4 | low
            position += 2
        }
        return bytes
    }

    /// Reads up to 16 digits, in lower case and without a leading zero.
    private static func message(
        _ query: Span<UInt8>, _ position: inout Int, _ end: Int
    ) throws(DeviceReportError) -> MessageID {
        var number: UInt64 = 0
        let start = position
        while position < end, let digit = query[position].lowerCaseHexDigitValue {
            guard position - start < 16, digit > 0 || position > start else { throw .deliveryMalformed }
            number = number << 4 | UInt64(digit)
            position += 1
        }
        guard let message = MessageID(rawValue: number) else { throw .deliveryMalformed }
        return message
    }

    /// Reads one digit with nothing after it.
    private static func kind(
        _ query: Span<UInt8>, _ position: Int, _ end: Int
    ) throws(DeviceReportError) -> InteractionKind {
        guard end - position == 1 else { throw .hitActionUnknown }
        switch query[position] {
        case UInt8(ascii: "1"): return .pushNotificationOpened
        case UInt8(ascii: "2"): return .pushNotificationClicked
        case UInt8(ascii: "7"): return .pushNotificationReceived
        default: throw .hitActionUnknown
        }
    }

    /// Takes a comma, literal or percent-encoded.
    private static func comma(_ query: Span<UInt8>, _ position: inout Int, _ end: Int) -> Bool {
        if position < end, query[position] == UInt8(ascii: ",") {
            position += 1
            return true
        }
        guard end - position >= 3, query[position] == UInt8(ascii: "%"), query[position + 1] == UInt8(ascii: "2"),
            query[position + 2] | 0x20 == UInt8(ascii: "c")
        else { return false }
        position += 3
        return true
    }
}
