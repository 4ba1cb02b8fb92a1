import HTTPTypes
import Hummingbird

/// The answer of a route.
enum ConsoleResponse: Sendable {
    case page(ConsolePage)
    /// 303: the browser then requests that page.
    case redirect(to: String)
    /// A file to save under a name.
    case file(name: String, mediaType: String, bytes: [UInt8])
    /// A file to save under a name, made while it is sent. If it throws, the answer is cut off.
    case stream(
        name: String, mediaType: String, write: @Sendable (inout any ResponseBodyWriter) async throws -> Void)
    /// Another answer with additional header fields, such as cookies.
    indirect case with([(HTTPField.Name, String)], ConsoleResponse)
}

/// A page: the parts that its frame shows, its content, and its tables for requests of CSV or JSON.
struct ConsolePage: Sendable {
    var status = HTTPResponse.Status.ok
    let area: ConsoleArea?
    /// The heading, and the title of the window. Never names a person.
    let title: String
    /// The sentence below the heading; empty if there is none.
    var lead = ""
    /// The rendered HTML.
    let content: String
    /// A browser gets the first one as CSV, unless its query names another.
    var tables: [ConsoleTable] = []
    /// The interval in seconds, if the page reloads itself.
    var refresh: Int?
    /// Whether it is shown only once, such as a key: no link leads to it in another language.
    var isOnce = false
}
