import NIOHTTP1

extension HTTPRequestHead {
    /// The head as the last one of its connection: with `Connection: close`.
    var closing: HTTPRequestHead {
        var last = self
        last.headers.replaceOrAdd(name: "connection", value: "close")
        return last
    }
}
