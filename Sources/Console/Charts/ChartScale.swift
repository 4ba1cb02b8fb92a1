/// The lines of an axis that begins at 0.
struct ChartScale {
    /// The uppermost line; at least 1.
    let top: Int
    /// The lines, from 0 up.
    let steps: [Int]

    /// - Parameter greatest: the greatest number that is shown.
    init(upTo greatest: Int) {
        let wanted = max(greatest, 1)
        var step = 1
        // 1, 2, 5, 10, 20, 50, …: at most five steps.
        while wanted > 5 * step {
            let digits = String(step)
            step = digits.hasPrefix("2") ? step / 2 * 5 : step * 2
        }
        let count = (wanted + step - 1) / step
        top = step * count
        steps = (0...count).map { $0 * step }
    }

    /// The part of the axis for a number, from 0 to 1.
    func part(of number: Int) -> Double { Double(max(number, 0)) / Double(top) }
}

extension Double {
    /// As a coordinate: with one digit after the point.
    var short: String {
        let tenths = Int((self * 10).rounded())
        let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? String(whole) : "\(tenths < 0 && whole == 0 ? "-" : "")\(whole).\(abs(rest))"
    }

    /// A part from 0 to 1 as a length of SVG: `12.34%`.
    var ofWidth: String {
        let hundredths = Int((self * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest != 0 else { return "\(whole)%" }
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
