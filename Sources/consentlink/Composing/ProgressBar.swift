import Foundation

/// The progress, in one line of the terminal that is redrawn.
struct ProgressBar: Sendable {
    private static let every = Duration.milliseconds(200)
    private static let width = 24
    private static let clear = "\r\u{1B}[K"

    /// `nil` if standard error is no terminal.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Shows the progress until the task is cancelled.
    ///
    /// - Parameters:
    ///   - count: the lines that earlier runs did, and those of this run.
    ///   - share: the part of the input that was read, from 0 to 1.
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
