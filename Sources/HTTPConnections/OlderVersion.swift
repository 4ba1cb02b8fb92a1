/// Tells the router that a request came in an older version than HTTP/1.1, which the router does not see.
package enum OlderVersion {
    /// The name of a header that ``PersistenceHandler`` adds to such a request. A client that sends it itself gets no
    /// answers of unknown length.
    package static let field = "http-version"
}
