import JSON

/// The JSON object that a device posted. Unknown members are ignored, because old apps send more.
struct EventBody {
    private let object: JSONObject

    /// - Parameter names: the members to read; the result has no others.
    init(_ body: Span<UInt8>, _ names: [String]) throws(DeviceReportError) {
        if let members = MemberReader.members(names, of: body) {
            object = members
        } else {
            object = try Self.whole(body.withUnsafeBufferPointer { Array($0) })
        }
    }

    /// Reads bodies that are written in an unusual way, and says what is wrong.
    private static func whole(_ body: [UInt8]) throws(DeviceReportError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(body)
        } catch {
            // Its own description contains names of members of the body.
            guard case .duplicateMember = error else { throw .bodyNotJSON }
            throw .duplicateMember
        }
        guard case .object(let object) = value else { throw .bodyNotObject }
        return object
    }

    /// `nil` if the member is absent or `null`.
    subscript(name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    func trackingID(_ name: String) throws(DeviceReportError) -> String {
        switch self[name] {
        case nil, .string(""): throw .trackingIDMissing
        case .string(let text): return text
        case _?: throw .trackingIDMalformed
        }
    }
}
