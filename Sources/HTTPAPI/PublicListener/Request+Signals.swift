import HTTPTypes
import Hummingbird
import Redirect

extension Request {
    /// What whoever asks says about why, read as the redirect reads it.
    var signals: RequestSignals {
        RequestSignals(fields: headers.lazy.map { (name: $0.name.rawName, value: $0.value) })
    }
}
