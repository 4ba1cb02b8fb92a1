import Foundation

/// How far it is, in one line of the terminal that is drawn over again.
struct ProgressBar: Sendable {
    private static let every = Duration.milliseconds(200)
    private static let width = 24
    private static let clear = "\r\u{1B}[K"

    /// `nil` when standard error is no terminal.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Until the task is cancelled.
    ///
    /// - Parameters:
    ///   - count: lines that were done in earlier runs, and in this one.
    ///   - share: of what is read, from 0 to 1.
    func show(
        _ count: @Sendable () -> (earlier: Int, now: Int), share: @Sendable () -> Double?
    ) async {
        let begin = ContinuousClock.now
        repeat {
            let seconds = begin.duration(to: .now) / .seconds(1)
            let (earlier, now) = count()
            Self.draw(Self.line(answered: now, earlier: earlier, share: share(), seconds: seconds))
        } while (try? await Task.sleep(for: Self.every)) != nil
        Self.draw("")
    }

    static func line(answered: Int, earlier: Int, share: Double?, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(answered) / seconds) : 0
        var parts = ["\((earlier + answered).grouped) lines", "\(rate.grouped)/s"]
        if let share {
            let filled = Int(share * Double(width))
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
            parts.insert("[\(bar)] \(Int(share * 100)) %", at: 0)
        }
        return parts.joined(separator: "  ")
    }

    private static func draw(_ text: String) {
        StandardStream.error.tell(clear + text)
    }
}
