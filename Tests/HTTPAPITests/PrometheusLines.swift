import Counting

/// The samples of a metrics page, by what stands before their value.
struct PrometheusLines {
    let text: String
    private let values: [String: String]

    init(_ sources: any MetricSource...) {
        text = PrometheusText(sources.flatMap(\.metrics)).text
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        values = Dictionary(
            uniqueKeysWithValues: samples.map { line in
                let end = line.lastIndex(of: " ") ?? line.endIndex
                return (String(line[..<end]), String(line[end...].dropFirst()))
            })
    }

    subscript(sample: String) -> String? { values[sample] }
}
