/// The header fields that answers to readers share, for every media type.
package enum ReaderProtection {
    /// The address of an answer may be a link of one person. So no cache keeps the answer, no search engine lists it,
    /// and a browser tells its address to no other site and does not guess another media type.
    package static let fields = [
        (name: "Cache-Control", value: "no-store"),
        (name: "Referrer-Policy", value: "no-referrer"),
        (name: "X-Robots-Tag", value: "noindex, nofollow"),
        (name: "X-Content-Type-Options", value: "nosniff"),
    ]
}
