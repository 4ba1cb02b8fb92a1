package import Logging
package import Messages
import OpenIDConnect
package import Organizations
package import PostgresClient

/// Everything that can be set about a service, checked.
package struct ServiceSettings: Sendable {
    package var dataFolder = "./data"
    /// Each backup is a folder in it; `nil` for one beside the data folder.
    var backupFolder: String?
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    package var apiListen = ListenAddress(host: "127.0.0.1", port: 8081)
    /// Where the console is; `nil` where there is none.
    package var consoleListen: ListenAddress? = ListenAddress(host: "127.0.0.1", port: 8082)
    /// Where browsers of other machines reach the console: `https://` and a host.
    package var consoleURL: PublicOrigin?
    /// The OpenID provider through which accounts sign in to the console; `nil` for none.
    var consoleProvider: ProviderSettings?
    /// As they were given.
    var consoleProviderTexts: [String: String] = [:]
    /// What links begin with; `nil` for `http://` and the public listener.
    package var publicURL: PublicOrigin?
    package var linkLifetimeInDays = 180
    /// Clicks are not stored while less of the data folder's disk is free, in MiB.
    var diskFloorInMebibytes = 256
    /// The shortest pause after a no and after silence that an organization may choose before a recipient is asked again.
    var leastAskAgainDays = 180
    package var missingData = MissingData.make
    package var storage = StorageChoice.embedded
    /// As it was given; never has a password.
    var storageText = StorageChoice.embeddedName
    package var durability = Durability.local
    package var storagePasswordFile: String?
    /// Names this node among those that share the storage; `nil` for the name of the host.
    package var nodeName: NodeName?
    /// The file with the key of the cluster that a new node joins.
    var clusterKeyFile: String?
    /// Where other nodes reach the private listener of this one; `nil` where they are to ask it nothing.
    package var peerAddress: PublicOrigin?
    /// What load balancers are to send to this node.
    package var roles = Set(NodeRole.allCases)
    package var staleClicks = StaleClicks.judgeLater
    /// Event loops; `nil` for one for each core.
    package var threads: Int?
    package var logLevel = Logger.Level.info
    /// Where each setting, by its name, came from.
    package var sources: [String: Source] = [:]

    /// What a start does where there is no data folder or an empty one, and nothing tells that there was one.
    package enum MissingData: String, CaseIterable, Sendable {
        case make
        /// For where an empty folder is more likely a volume that is not mounted.
        case refuse
    }

    package enum NodeRole: String, CaseIterable, Sendable {
        /// Redirects, pages and reports of devices. A node without it follows links that reach it all the same.
        case links
        /// Everything below `/v1`. A node without it answers 503 there, and does no work in turns with other nodes.
        case api
    }

    /// What becomes of a click while the node cannot show that it knows every withdrawal.
    package enum StaleClicks: String, CaseIterable, Sendable {
        /// It is written down, and judged when it is stored.
        case judgeLater = "judge-later"
        /// It is not recorded.
        case skip
    }

    package enum Source: String, Sendable {
        case flag
        case environment
        case file
        case standard = "default"
    }

    package init() {}

    /// What links begin with.
    /// - Throws: where it is not set, and no link can begin with the address of the public listener.
    var publicOrigin: PublicOrigin {
        get throws(TargetURLError) {
            if let publicURL { return publicURL }
            return try PublicOrigin("http://\(listen)")
        }
    }

    /// Whether somebody gave a setting.
    func isGiven(_ name: String) -> Bool { sources[name] ?? .standard != .standard }

    /// Whether somebody chose where the console is, or that there is none.
    var isConsoleChosen: Bool { isGiven("console-listen") }
}

/// A setting that is not what it should be. Names the setting, never its value.
package struct SettingError: Error, CustomStringConvertible {
    package let name: String
    package let expected: String

    package var description: String { "\(name): \(expected)" }
}
