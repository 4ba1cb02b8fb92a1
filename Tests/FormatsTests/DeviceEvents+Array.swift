import Formats
import Interactions

// Events as tests write them: whole arrays.

extension Dynamics365Event {
    static func read(trackingID: String, body: [UInt8]) throws(DeviceReportError) -> DeviceReading {
        try read(trackingID: Array(trackingID.utf8).span, body: body.span)
    }

    static func read(body: [UInt8]) throws(DeviceReportError) -> DeviceReading { try read(body: body.span) }
}

extension BirdInteraction {
    static func read(body: [UInt8]) throws(DeviceReportError) -> DeviceReport { try read(body: body.span) }
}
