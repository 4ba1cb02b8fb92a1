import HTTPTypes
import Hummingbird
import Redirect

extension Request {
    /// The signals of the request, read as the redirect reads them.
    var signals: RequestSignals {
        RequestSignals(fields: headers.lazy.map { (name: $0.name.rawName, value: $0.value) })
    }
}
