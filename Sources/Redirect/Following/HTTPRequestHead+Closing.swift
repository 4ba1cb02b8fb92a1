import NIOHTTP1

extension HTTPRequestHead {
    /// The same, as the last one of its connection.
    var closing: HTTPRequestHead {
        var last = self
        last.headers.replaceOrAdd(name: "connection", value: "close")
        return last
    }
}
