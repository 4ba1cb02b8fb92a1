import Hummingbird
import Logging
import Organizations

extension ConsoleCall {
    /// Writes one line for each act, as the API does.
    /// - Parameter details: ids, counts and names of settings; never a recipient, a key, or a typed text.
    func log(
        _ act: String, by account: ConsoleAccount? = nil, status: String = "done", details: Logger.Metadata = [:]
    ) {
        let by = (account ?? session?.account)?.name ?? "nobody"
        var metadata = details
        metadata["act"] = "\(act)"
        metadata["by"] = "\(by)"
        metadata["status"] = "\(status)"
        if let organization { metadata["organization"] = "\(organization.id)" }
        context.logger.info("administrative act", metadata: metadata)
    }
}
