import ConsentLinkClient

extension APIClient {
    /// An id from the command line as a part of a path.
    ///
    /// - Parameter argument: the name of the id, or its option.
    static func segment(_ id: String, of argument: String) throws(CommandFailure) -> String {
        do throws(ConsentLinkError) {
            return try PathSegment(id).description
        } catch {
            throw CommandFailure(
                "consentlink: \(argument) must be an id: letters, digits, dots, underscores and hyphens",
                exitCode: ExitStatus.usage)
        }
    }
}
