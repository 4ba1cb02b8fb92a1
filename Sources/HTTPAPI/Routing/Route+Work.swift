import HTTPTypes
package import Hummingbird

extension Route {
    /// How much processor time a request needs.
    enum Work: Sendable {
        /// It depends on the size of the body.
        case ofBody
        /// Possibly much, although the request is small: it names a stored message. If the message is large, the
        /// handler counts the request as large before it reads the message (``WorkPermit/enlarge()``).
        case ofMessage
        /// Possibly much, and much memory, although the request is small: it reads a stored mail.
        case heavy

        /// Bodies up to this many bytes are parsed where the request is handled: that takes less than a few
        /// milliseconds for any content.
        static let lightBodySize = 64 << 10

        /// - Returns: `nil` if the request needs no thread of the pool.
        func permit(_ call: AuthenticatedRequest, of pool: WorkPool) throws -> WorkPermit? {
            let isLarge = self == .heavy || Self.bodySize(of: call.request) > Self.lightBodySize
            guard isLarge || self == .ofMessage else { return nil }
            let owner = try? call.organization
            return isLarge ? try pool.admit(owner) : pool.admitSmall(owner)
        }

        /// In bytes. A body of unknown length is sent in chunks, and can be of any size.
        private static func bodySize(of request: Request) -> Int {
            if let length = request.headers[.contentLength] { return Int(length) ?? .max }
            return [.get, .head, .delete].contains(request.method) ? 0 : .max
        }
    }

    /// Handles a request, on the threads of `pool` if it may need much processor time.
    func answer(_ call: AuthenticatedRequest, on pool: WorkPool) async throws -> Response {
        guard let permit = try work.permit(call, of: pool) else { return try await handle(call) }
        var call = call
        call.permit = permit
        return try await permit.response { [call] in try await handle(call) }
    }
}

extension WorkPermit {
    /// A response that is made on the threads of the pool. A stream is made while it is written, so it keeps the permit
    /// until its end.
    package func response(_ make: () async throws -> Response) async throws -> Response {
        var response = try await run(make)
        guard response.body.contentLength == nil else { return response }
        let body = response.body
        response.body = ResponseBody { writer in
            try await self.run { try await body.write(writer) }
        }
        return response
    }
}
