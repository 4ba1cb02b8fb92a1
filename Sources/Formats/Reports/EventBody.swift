import JSON

/// The JSON object that a device posted. Unknown members are ignored: old apps send more.
struct EventBody {
    private let object: JSONObject

    /// - Parameter names: of the members that are asked for; there are no others then.
    init(_ body: Span<UInt8>, _ names: [String]) throws(DeviceReportError) {
        if let members = MemberReader.members(names, of: body) {
            object = members
        } else {
            object = try Self.whole(body.withUnsafeBufferPointer { Array($0) })
        }
    }

    /// Reads what is not as programs write it, and names what is wrong.
    private static func whole(_ body: [UInt8]) throws(DeviceReportError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(body)
        } catch {
            // Its own description names members of the body.
            guard case .duplicateMember = error else { throw .bodyNotJSON }
            throw .duplicateMember
        }
        guard case .object(let object) = value else { throw .bodyNotObject }
        return object
    }

    /// `nil` for a member that is absent or, which is the same, null.
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
