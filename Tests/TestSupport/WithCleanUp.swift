/// Calls `body`, and after it `cleanUp`, also when `body` throws: what `defer` does, for calls that wait.
package func withCleanUp(_ body: () async throws -> Void, cleanUp: () async throws -> Void) async throws {
    let result: Result<Void, any Error>
    do {
        try await body()
        result = .success(())
    } catch {
        result = .failure(error)
    }
    try await cleanUp()
    try result.get()
}
