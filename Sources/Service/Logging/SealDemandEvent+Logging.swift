import Logging
import StoragePorts

extension SealDemandEvent {
    func log(to logger: Logger) {
        switch self {
        case .begun:
            logger.info("ledgers must have seals from now on")
        case .begunAgain:
            logger.warning(
                """
                the database did not demand seals of ledgers any more, because it was put back or changed with SQL: it \
                does again
                """)
        case .notKept:
            logger.warning(
                """
                it cannot be noted that ledgers must have seals, because the number of the database cannot be read: \
                the next start goes by the database
                """, metadata: ["remedy": "let the role of the service call pg_control_system()"])
        case .delayed(by: .olderNode(let name)):
            logger.warning(
                "ledgers need no seals yet: a node of an earlier version may still write", metadata: ["node": "\(name)"]
            )
        case .delayed(by: .failure(let error)):
            logger.warning(
                "the database cannot be made to demand seals of ledgers now", metadata: ["error": "\(error)"])
        }
    }
}
