import Counting

/// A metric of a library, with its name on the metrics page.
struct LibraryMetric {
    /// Metrics that repeat another metric.
    ///
    /// Hummingbird counts the errors of a router; here every error is an answer, which `hb_requests_total` counts by
    /// status.
    static let redundant: Set = ["hb.request.errors"]

    /// The descriptions of the known metrics. Libraries give none.
    private static let texts = [
        "hb.requests": "Requests other than links that were answered to their end, by route, method and status.",
        "http.server.active_requests": "Requests other than links whose answer has not ended.",
        "http.server.request.duration": "Seconds to the end of an answer, without links.",
    ]

    /// The methods of HTTP (RFC 9110, 9; RFC 5789). Any other method is counted as `_OTHER`, as in OpenTelemetry,
    /// because clients choose it.
    private static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    let name: String
    let help: String
    let kind: MetricFamily.Kind

    /// - Parameter label: the library's name, such as `http.server.request.duration`.
    init(_ label: String, _ kind: MetricFamily.Kind) {
        let suffix =
            switch kind {
            case .counter: "_total"
            case .gauge: ""
            case .histogram: "_seconds"
            }
        name = Self.prometheus(label) + suffix
        help = Self.texts[label] ?? "The metric \(label) of a library."
        self.kind = kind
    }

    func labels(_ dimensions: [(String, String)]) -> MetricFamily.Labels {
        dimensions.map { name, value in
            let isForeign = name == "http.request.method" && !Self.methods.contains(value)
            return MetricFamily.Label(Self.prometheus(name), isForeign ? "_OTHER" : value)
        }
    }

    /// Letters, digits and underscores; the first is no digit.
    private static func prometheus(_ name: String) -> String {
        let text = String(name.unicodeScalars.map { $0.isNameCharacter ? Character($0) : "_" })
        return text.first?.isNumber == true ? "_\(text)" : text
    }
}

extension Unicode.Scalar {
    fileprivate var isNameCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
