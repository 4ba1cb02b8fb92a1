import HTTPTypes
import Hummingbird

/// What a route answers.
enum ConsoleAnswer: Sendable {
    case page(ConsolePage)
    /// 303: the browser asks for that page next.
    case redirect(to: String)
    /// To be saved under a name.
    case file(name: String, mediaType: String, bytes: [UInt8])
    /// To be saved under a name, and made while it is sent. When it throws, the answer is cut off.
    case stream(
        name: String, mediaType: String, write: @Sendable (inout any ResponseBodyWriter) async throws -> Void)
    /// Another answer, with header fields such as cookies beside it.
    indirect case with([(HTTPField.Name, String)], ConsoleAnswer)
}

/// A page: what its frame shows of it, its content, and its tables for those who ask for CSV or JSON.
struct ConsolePage: Sendable {
    var status = HTTPResponse.Status.ok
    let area: ConsoleArea?
    /// The heading, and the title of the window. Never names a person.
    let title: String
    /// What stands below the heading, in one sentence; empty for nothing.
    var lead = ""
    /// Rendered.
    let content: String
    /// The first one is what a browser gets as CSV, unless its query names another.
    var tables: [ConsoleTable] = []
    /// For those who let the page be asked for again and again; in seconds.
    var refresh: Int?
    /// Whether it is shown once, such as a key: no link leads to it in another language.
    var isOnce = false
}
