import Formats
import Identifiers

/// A report of a device as nearly all are: one whole `POST` in HTTP/1.1 with its length in one field, or an Adobe hit
/// by `GET`; otherwise as a ``PlainRequest`` is. What it reports is not looked at here.
///
/// It refuses nothing: what is not plain goes to the decoder, and from there to the route.
struct PlainReport {
    /// How far a report was read.
    enum Reading {
        case whole(PlainReport)
        /// So far it is plain, and there is more to come.
        case cut(isHeaderWhole: Bool)
        case notPlain
    }

    let route: ReportRoute
    /// Whether it says that the recipient does not want to be tracked.
    let hasGlobalPrivacyControl: Bool
    private let target: Range<Int>
    private let parts: DeviceTarget
    private let body: Range<Int>

    /// The length in bytes, with the body.
    var length: Int { body.upperBound }

    /// Reads the report that `bytes` begin with. Its request line must be there.
    static func read(_ bytes: Span<UInt8>, _ agents: RecentAgents) -> Reading {
        let bytes = bytes.extracting(first: PlainRequest.maximumLength)
        var scanner = RequestScanner()
        let isGet = !scanner.skip("POST ", in: bytes)
        guard !isGet || scanner.skip("GET ", in: bytes) else { return .notPlain }
        let target = scanner.skipTarget(in: bytes)
        guard let parts = DeviceTarget(bytes.extracting(target)), !isGet || parts.endpoint.takesGet,
            scanner.skip(RequestScanner.version, in: bytes)
        else { return .notPlain }
        var header = PlainHeader(agents: agents)
        switch header.read(&scanner, in: bytes) {
        case .whole: break
        case .cut: return bytes.count < PlainRequest.maximumLength ? .cut(isHeaderWhole: false) : .notPlain
        case .notPlain: return .notPlain
        }
        guard isGet == (header.bodyLength == nil) else { return .notPlain }
        let body = scanner.position..<(scanner.position + (header.bodyLength ?? 0))
        guard body.upperBound <= PlainRequest.maximumLength else { return .notPlain }
        guard body.upperBound <= bytes.count else { return .cut(isHeaderWhole: true) }
        return .whole(
            PlainReport(
                route: ReportRoute(endpoint: parts.endpoint, isGet: isGet),
                hasGlobalPrivacyControl: header.request.signals.hasGlobalPrivacyControl, target: target, parts: parts,
                body: body))
    }

    /// The content of the report, from the bytes that it was read from, and the organization to which it was posted.
    ///
    /// - Returns: `nil` when the route must say what is wrong with it.
    func content(in bytes: Span<UInt8>) -> (reading: DeviceReading, organization: OrganizationID?)? {
        let target = bytes.extracting(target)
        var organization: OrganizationID?
        if parts.endpoint != .adobeCampaign {
            let name = target.extracting(parts.organization).withUnsafeBufferPointer {
                String(decoding: $0, as: UTF8.self)
            }
            guard let named = try? OrganizationID(name) else { return nil }
            organization = named
        }
        let reading = try? parts.endpoint.read(
            trackingID: target.extracting(parts.trackingID), query: target.extracting(parts.query),
            body: bytes.extracting(body))
        return reading.map { ($0, organization) }
    }
}
