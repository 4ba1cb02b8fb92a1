package import NIOHTTP1

extension NIOHTTPDecoderLimitConfiguration {
    /// Many times larger than the requests of browsers.
    package static var publicListener: Self {
        var limits = Self()
        limits.maxHeaderFieldSize = 16 * 1024
        limits.maxHeaderListSize = 32 * 1024
        limits.maxHeaderFieldCount = 128
        return limits
    }

    static var privateListener: Self {
        var limits = Self()
        limits.maxHeaderFieldSize = 80 * 1024
        limits.maxHeaderListSize = 80 * 1024
        limits.maxHeaderFieldCount = 1000
        return limits
    }
}
