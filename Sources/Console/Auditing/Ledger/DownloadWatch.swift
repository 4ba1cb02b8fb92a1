import NIOCore
import Synchronization
import UseCases

/// Cuts an answer off while its client takes nothing of it: when the client's session has ended, and after half an hour.
/// A proxy in between takes megabytes at once, and then nothing until its own client has taken them.
///
/// A write waits for the client, so the answer itself can check nothing meanwhile.
final class DownloadWatch: Sendable {
    private let interval: Duration
    private let timeout: Duration
    private let validity: CallerValidity
    private let untaken: @Sendable () async -> Int
    private let cut: @Sendable () -> Void
    private let written = Atomic<Int>(0)

    /// - Parameters:
    ///   - interval: the time between two checks of the client.
    ///   - timeout: how long the client may take nothing.
    ///   - untaken: returns how many bytes wait for the client.
    ///   - cut: closes the connection. A write that waits then throws.
    init(
        _ validity: CallerValidity, interval: Duration = .seconds(5), timeout: Duration = .seconds(1800),
        untaken: @escaping @Sendable () async -> Int, cut: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.timeout = timeout
        self.validity = validity
        self.untaken = untaken
        self.cut = cut
    }

    /// Runs `write`, which writes the answer.
    func watching(_ write: () async throws -> Void) async throws {
        let task = Task { await follow() }
        defer { task.cancel() }
        try await write()
    }

    /// Must be called after each part of the answer.
    func didWrite() { written.add(1, ordering: .relaxed) }

    private func follow() async {
        var progress = DownloadProgress()
        while (try? await Task.sleep(for: interval)) != nil {
            let untaken = await untaken()
            let silence = progress.silence(
                written: written.load(ordering: .relaxed), untaken: untaken, at: .now)
            guard silence > .zero else { continue }
            if silence < timeout, await isAllowed() { continue }
            return cut()
        }
    }

    /// A store that cannot be asked ends no download.
    private func isAllowed() async -> Bool {
        do {
            try await validity.check()
            return true
        } catch RequestRefusal.keyDeleted {
            return false
        } catch {
            return true
        }
    }
}

extension DownloadWatch {
    /// - Parameter channel: the connection of the answer.
    convenience init(_ validity: CallerValidity, of channel: any Channel) {
        self.init(
            validity, untaken: { (try? await channel.getOption(.bufferedWritableBytes).get()) ?? 0 },
            cut: {
                // Without its input a connection does not wait until the client has taken its answers.
                channel.close(mode: .input, promise: nil)
                channel.close(promise: nil)
            })
    }
}
