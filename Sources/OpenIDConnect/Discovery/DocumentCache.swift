/// Caches one document of the provider. Concurrent callers wait for one fetch, which continues if a caller is
/// cancelled.
actor DocumentCache<Document: Sendable> {
    private let policy: CachePolicy
    private let fetch: @Sendable () async -> Result<Document, SignInFailure>

    private var kept: CachePolicy.Kept<Document>?
    private var failed: CachePolicy.Failed?
    private var underWay: Task<Result<Document, SignInFailure>, Never>?

    init(_ policy: CachePolicy, fetch: @escaping @Sendable () async -> Result<Document, SignInFailure>) {
        self.policy = policy
        self.fetch = fetch
    }

    /// - Parameter newer: whether the caller has seen the document and misses something in it. It may get the same
    ///   document again, also if fetching fails.
    func document(newer: Bool = false, now: UnixTime) async throws(SignInFailure) -> Document {
        switch policy.step(kept, failed: failed, newer: newer, now: now) {
        case .use(let document): return document
        case .fail(let failure): throw failure
        case .fetch: break
        }
        let task = underWay ?? begin(now)
        switch await task.value {
        case .success(let document): return document
        case .failure(let failure):
            guard newer, let kept else { throw failure }
            return kept.document
        }
    }

    private func begin(_ now: UnixTime) -> Task<Result<Document, SignInFailure>, Never> {
        let task = Task {
            let result = await fetch()
            end(result, now)
            return result
        }
        underWay = task
        return task
    }

    private func end(_ result: Result<Document, SignInFailure>, _ now: UnixTime) {
        underWay = nil
        switch result {
        case .success(let document):
            kept = CachePolicy.Kept(document: document, fetchedAt: now)
            failed = nil
        case .failure(let failure): failed = CachePolicy.Failed(failure: failure, at: now)
        }
    }
}
