import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import UseCases

/// Writes one line at level `info` for each administrative act: the act, the key, the organization, the time, and the
/// result. A refused act has a line, too.
struct AdministrativeLog: Sendable {
    /// Carries out `call`, and writes the line when the answer begins.
    func record(
        _ act: AdministrativeAct, _ call: AuthenticatedRequest,
        _ handle: (AuthenticatedRequest) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await handle(call)
            write(act, call, status: response.status.code)
            return response
        } catch {
            write(act, call, status: Problem(describing: error).status.code)
            throw error
        }
    }

    private func write(_ act: AdministrativeAct, _ call: AuthenticatedRequest, status: Int) {
        var metadata = call.details.metadata
        metadata["act"] = "\(act.rawValue)"
        metadata["by"] = "\(call.principal.name)"
        metadata["status"] = "\(status)"
        if let organization = try? call.organization { metadata["organization"] = "\(organization)" }
        call.context.logger.info("administrative act", metadata: metadata)
    }
}
