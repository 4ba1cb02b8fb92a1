import Formats
import NIOHTTP1

/// The answer to a report that was taken, up to its date, as the report's route writes it.
enum PreparedReportResponse {
    private static let all = DeviceEndpoint.allCases.map { endpoint in
        let status = HTTPResponseStatus(statusCode: endpoint.successCode)
        let cacheControl = endpoint.cacheControl.map { "Cache-Control: \($0)\r\n" } ?? ""
        let head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(cacheControl)"
        return Array("\(head)Content-Length: 0\r\nDate: ".utf8)
    }

    static func bytes(to endpoint: DeviceEndpoint) -> [UInt8] { all[endpoint.rawValue] }
}
