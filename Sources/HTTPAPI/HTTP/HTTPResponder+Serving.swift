import CoreMetrics
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Identifiers
package import Logging
package import NIOCore
import NIOHTTP1

/// Answers one request of a connection, as Hummingbird's connections ask for it.
package typealias Responder =
    @Sendable (HummingbirdCore.Request, consuming ResponseWriter, any Channel) async throws -> Void

extension HTTPResponder
where Context: RequestContext & InitializableFromSource<ApplicationRequestContextSource> {
    /// Answers the requests of connections.
    ///
    /// - Parameters:
    ///   - requestIDs: where the ids of requests are told.
    ///   - wallClock: the clock for the header `Date`.
    package func serving(
        _ logger: Logger, _ requestIDs: RequestIDPolicy, wallClock: @escaping @Sendable () -> Timestamp
    ) -> Responder {
        let date = DateHeader()
        let metrics = ResponseMetrics()
        return { request, writer, channel in
            let start = NIODeadline.now()
            let active = metrics.active(request.method)
            active.increment()
            defer { active.decrement() }
            let id = requestIDs.id(of: request.headers)
            let logger = logger.of(id, requestIDs.trace(of: request.headers))
            let context = Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            var response: Response
            do {
                response = try await respond(to: request.withRoutedMethod, context: context)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                response = Problem.reporting(error, to: logger).response(requestID: requestIDs.told(id.description))
            }
            if let told = requestIDs.told(id.description) { response.headers[.requestID] = told }
            response.headers[.date] = date.value(at: wallClock())
            let status = response.status.code
            defer {
                metrics.ended(
                    route: context.endpointPath ?? "NotFound", request.method, status: status,
                    nanoseconds: (NIODeadline.now() - start).nanoseconds)
            }
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // If this error were thrown to the caller, the request would be answered a second time.
                throw CancellationError()
            }
        }
    }
}
