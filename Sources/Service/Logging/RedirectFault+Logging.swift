import Logging
import Redirect

extension RedirectFault {
    func log(to logger: Logger) {
        switch self {
        case .spoolFailed(let error):
            logger.error("clicks cannot be recorded; links go on working", metadata: ["error": "\(error)"])
        case .drainFailed(let error):
            logger.error("recorded clicks wait in the spool", metadata: ["error": "\(error)"])
        case .batchesUnreadable(let count):
            logger.error("recorded clicks cannot be read from the spool", metadata: ["batches": "\(count)"])
        case .clicksOfNoMessage(let count):
            logger.warning(
                "recorded clicks were dropped: the store does not have their message", metadata: ["clicks": "\(count)"])
        case .directoryFailed(let error):
            logger.error("a link's message could not be looked up", metadata: ["error": "\(error)"])
        }
    }
}
