import Hummingbird
import Messages

extension PublicPath {
    /// The path for a router, with one parameter after it.
    func template(_ parameter: String) -> RouterPath { RouterPath("\(rawValue){\(parameter)}") }
}
