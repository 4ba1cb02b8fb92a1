import Identifiers
import Organizations

extension OrganizationDirectory {
    /// An organization with the settings that it has at present. They may change while a body is on its way: a caller
    /// that goes by them must ask when the body, or the line of it, is there.
    /// - Throws: 404 if it does not exist.
    func known(_ id: OrganizationID) async throws -> Organization {
        guard let organization = try await organization(id) else { throw Problem.notFound }
        return organization
    }
}
