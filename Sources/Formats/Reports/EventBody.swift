import JSON

/// The JSON object that a device posted. Unknown members are ignored: old apps send more.
struct EventBody {
    private let object: JSONObject

    init(_ body: [UInt8]) throws(DeviceReportError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(body)
        } catch {
            // Its own description names members of the body.
            guard case .duplicateMember = error else { throw .bodyNotJSON }
            throw .duplicateMember
        }
        guard case .object(let object) = value else { throw .bodyNotObject }
        self.object = object
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
