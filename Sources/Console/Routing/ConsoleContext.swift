import Hummingbird
import NIOCore

struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the connection comes from; behind a proxy that is the proxy.
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
