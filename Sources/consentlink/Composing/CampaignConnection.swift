import ArgumentParser
import AsyncHTTPClient
import JSON
import NIOCore
import NIOHTTP1

/// One compose request after the other, each sending what the ones before it left unanswered.
struct CampaignConnection: Sendable {
    let http: HTTPClient
    let base: String
    let path: String
    let key: String
    /// The first line.
    let order: [UInt8]
    let window: LineWindow
    let output: AnswerFile
    /// How long to wait for an answer that is due.
    let patience: Duration

    private static let messageHeader = "ConsentLink-Message"
    private static let unsupportedMembersHeader = "ConsentLink-Unsupported-Members"
    private static let greatestProblem = 1 << 20
    private static let watchEvery = Duration.milliseconds(500)

    /// What the service says of all payloads of an order.
    struct Taken: Sendable {
        /// The id of the message; `-` where the service does not say.
        let message: String
        /// Members of the message that the format has no place for.
        let unsupportedMembers: [String]
    }

    struct Ending: Sendable {
        var splitter: AnswerSplitter
        /// Once the service has taken the order.
        var taken: Taken?
        /// ``RetryableFailure`` when another connection may do.
        var error: (any Error)?
    }

    /// - Parameter splitter: of the connections before.
    func run(_ splitter: AnswerSplitter) async -> Ending {
        await withTaskGroup(of: Ending?.self) { tasks in
            tasks.addTask { await exchange(splitter) }
            tasks.addTask {
                await waitForSilence()
                return nil
            }
            var isSilent = false
            while let ended = await tasks.next() {
                tasks.cancelAll()
                if var ending = ended {
                    // Cancelled from here, and not from outside.
                    if isSilent, ending.error is CancellationError || !Task.isCancelled {
                        ending.error = ending.error.map { _ in RetryableFailure(text: "it was silent for too long") }
                    }
                    return ending
                }
                isSilent = true
            }
            return Ending(splitter: splitter, error: CancellationError())
        }
    }

    private func exchange(_ splitter: AnswerSplitter) async -> Ending {
        var ending = Ending(splitter: splitter)
        ending.splitter.dropRest()
        do {
            let response = try await send()
            guard response.status == .ok else { throw try await refusal(response) }
            ending.taken = Taken(
                message: response.headers.first(name: Self.messageHeader) ?? "-",
                unsupportedMembers: response.headers[canonicalForm: Self.unsupportedMembersHeader].map(String.init))
            for try await piece in response.body {
                let cut = try piece.withUnsafeReadableBytes { try ending.splitter.read($0) }
                try await output.write(cut.bytes)
                guard window.answer(cut.count) else {
                    throw CommandFailure("consentlink: the service answers more lines than it was sent")
                }
                if cut.mustStop {
                    throw RetryableFailure(text: "the service cannot store decisions", isTemporary: true)
                }
            }
            guard window.isDone else { throw RetryableFailure(text: "the answer ended too early") }
        } catch let error as CommandFailure {
            ending.error = error
        } catch let error as RetryableFailure {
            ending.error = error
        } catch is AnswerSplitter.LineTooLong {
            ending.error = CommandFailure("consentlink: the service answers with a line that does not end")
        } catch {
            ending.error = Task.isCancelled ? CancellationError() : RetryableFailure(text: ServiceFault.text(error))
        }
        return ending
    }

    private func send() async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        request.headers.add(name: "Content-Type", value: "application/x-ndjson")
        let lines = OutgoingLines(order: order, window: window, connection: window.begin())
        request.body = .stream(lines, length: .unknown)
        return try await http.execute(request, timeout: .nanoseconds(patience.wholeNanoseconds))
    }

    /// What a service that does not take the order says of it.
    private func refusal(_ response: HTTPClientResponse) async throws -> any Error {
        let status = response.status.code
        let body = try await response.body.collect(upTo: Self.greatestProblem)
        let document = try? JSONValue.parse(Array(body.readableBytesView))
        guard status < 500 else {
            return RetryableFailure(text: document?.problemText ?? "the service answered \(status)", isTemporary: true)
        }
        return await APIClient(base: base, key: key).refusal(status, document, of: "organization of this name")
    }

    /// Returns when nothing was answered for too long although something is due.
    private func waitForSilence() async {
        var last = (answered: window.answeredCount, at: ContinuousClock.now)
        while last.at.duration(to: .now) < patience {
            guard (try? await Task.sleep(for: Self.watchEvery)) != nil else { return }
            let answered = window.answeredCount
            if answered > last.answered || !window.isWaitingForAnswers { last = (answered, .now) }
        }
    }
}

extension Duration {
    /// The length in nanoseconds, for the time limits of NIO.
    var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
