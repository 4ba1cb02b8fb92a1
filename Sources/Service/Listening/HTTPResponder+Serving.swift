import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

extension HTTPResponder where Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Answers the requests of connections.
    func serving(_ logger: Logger) -> HTTPChannelHandler.Responder {
        let date = DateHeader()
        return { request, writer, channel in
            let context = Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            var response: Response
            do {
                response = try await respond(to: request, context: context)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                response = Problem(error, logger: logger).response
            }
            response.headers[.date] = date.value(at: .now)
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // Thrown on, it would be answered once more.
                throw CancellationError()
            }
        }
    }
}
