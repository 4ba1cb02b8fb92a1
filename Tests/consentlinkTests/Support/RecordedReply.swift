import JSON
import StubService

extension StubServer.Reply {
    /// As the service answers records that it has taken.
    static func recorded(_ request: StubServer.Request) -> Self {
        guard case .array(let records)? = try? JSONValue.parse(Array(request.body.utf8)) else {
            return .problem(400, "no")
        }
        let answers = records.map { _ in "{}" }.joined(separator: ",")
        return .json(#"{"consents":[\#(answers)]}"#, status: 201)
    }
}
