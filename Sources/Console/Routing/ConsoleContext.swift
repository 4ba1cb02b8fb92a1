import Hummingbird
import NIOCore

struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the client; behind a proxy, the address of the proxy.
    let address: String
    /// The connection of the request.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
        channel = source.channel
    }
}
