import Logging
import TrackingIDs

extension MergedKeyRing {
    func log(to logger: Logger) {
        if !regained.isEmpty {
            logger.critical(
                """
                the database was put back to a state without signing keys that this node has: they are in it again, \
                and open the links that they signed
                """, metadata: ["keys": Self.list(regained)])
        }
        if !contradicted.isEmpty {
            logger.critical(
                """
                the database was put back to an earlier state, and has other signing keys than this node under the \
                same numbers: links that this node's keys signed are unknown. Its ring is kept in keyring.json.lost
                """, metadata: ["keys": Self.list(contradicted)])
        }
        if !retired.isEmpty {
            logger.critical(
                """
                the database was put back to a state with signing keys that were retired since: they are retired \
                again, and links that they signed are unknown. The ring with them is kept in keyring.json.lost
                """, metadata: ["keys": Self.list(retired)])
        }
        if signsAgain {
            logger.critical(
                """
                the database was put back to a state in which a signing key signs that was retired since: rotate, and \
                retire it once more
                """, metadata: ["keys": Self.list([ring.signingKey.id])])
        }
        if !unaccounted.isEmpty {
            logger.warning(
                """
                signing keys of this node are not in the database: they were retired, or the database was put back. \
                Links that they signed are unknown. The node's ring is kept in keyring.json.lost
                """, metadata: ["keys": Self.list(unaccounted)])
        }
    }

    private static func list(_ ids: [UInt8]) -> Logger.MetadataValue {
        "\(ids.map(String.init).joined(separator: ", "))"
    }
}
