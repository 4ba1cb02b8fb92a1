import ServiceLifecycle

/// A service that uses the ledgers to judge, or appends to them: it runs once they were checked after the start, and
/// not at all if the process is asked to end before that.
struct AfterStartCheck: Service {
    let checked: Latch
    let service: any Service

    func run() async throws {
        guard await cancelWhenGracefulShutdown({ await checked.wait() }) else { return }
        try await service.run()
    }
}
