import Hummingbird
import Logging
import Organizations

extension ConsoleCall {
    /// One line for each act, as the API writes.
    /// - Parameter details: ids, counts and names of settings; never a recipient, a key, or a text that was typed.
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
