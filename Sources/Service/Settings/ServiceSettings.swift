package import Logging
package import Messages
import OpenIDConnect
package import PostgresClient
package import StoragePorts

/// All settings of a service, validated.
package struct ServiceSettings: Sendable {
    package var dataFolder = "./data"
    /// Each backup is a folder in it; `nil` for a folder beside the data folder.
    var backupFolder: String?
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    package var apiListen = ListenAddress(host: "127.0.0.1", port: 8081)
    /// The address of the console; `nil` if there is none.
    package var consoleListen: ListenAddress? = ListenAddress(host: "127.0.0.1", port: 8082)
    /// The address by which browsers of other machines reach the console: `https://` and a host.
    package var consoleURL: PublicOrigin?
    /// The OpenID provider through which accounts sign in to the console; `nil` for none.
    var consoleProvider: ProviderSettings?
    /// The settings as they were given.
    var consoleProviderTexts: [String: String] = [:]
    /// The beginning of links; `nil` for `http://` and the public listener.
    package var publicURL: PublicOrigin?
    package var linkLifetimeInDays = 180
    /// If less of the data folder's disk is free, in MiB, clicks are not stored.
    var diskFloorInMebibytes = 256
    /// The shortest pause that an organization may choose before it asks a recipient again after a no or after silence.
    var minimumPauseInDays = 180
    package var missingData = MissingData.make
    package var storage = StorageChoice.embedded
    /// The setting as it was given; never has a password.
    var storageText = StorageChoice.embeddedName
    package var durability = Durability.local
    var storagePasswordFile: String?
    /// The name of this node among those that share the storage; `nil` for the name of the host.
    package var nodeName: NodeName?
    /// The key of the cluster that a new node joins.
    var clusterKey: GivenClusterKey?
    /// The address by which other nodes reach the private listener of this one; `nil` if they must not ask it.
    var peerAddress: PublicOrigin?
    /// The requests that load balancers should send to this node.
    package var roles = Set(NodeRole.allCases)
    var staleClicks = StaleClicks.judgeLater
    /// The number of event loops; `nil` for one per core.
    package var threads: Int?
    package var logLevel = Logger.Level.info
    /// The source of each setting, by its name.
    package var sources: [String: Source] = [:]

    /// What a start does if the data folder is missing or empty, and there is no sign that there was one.
    package enum MissingData: String, CaseIterable, Sendable {
        case make
        /// For machines on which an empty folder is more likely a volume that is not mounted.
        case refuse
    }

    package enum NodeRole: String, CaseIterable, Sendable {
        /// Redirects, pages and reports of devices. A node without it still follows links that reach it.
        case links
        /// Everything below `/v1`. A node without it answers 503 there, and takes no jobs.
        case api
    }

    /// The treatment of a click while the node cannot show that it knows every withdrawal.
    package enum StaleClicks: String, CaseIterable, Sendable {
        /// It is spooled, and judged when it is stored.
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

    /// The origin that all links begin with: the setting, or else the address of the public listener.
    ///
    /// - Throws: if it is not set, and no link can begin with the address of the public listener.
    var publicOrigin: PublicOrigin {
        get throws(TargetURLError) {
            if let publicURL { return publicURL }
            return try PublicOrigin("http://\(listen)")
        }
    }

    /// Whether the operator gave a setting.
    func isGiven(_ name: String) -> Bool { sources[name] ?? .standard != .standard }

    /// Whether the operator chose the address of the console, or that there is none.
    var isConsoleChosen: Bool { isGiven("console-listen") }
}

/// An invalid setting. Names the setting, never its value.
package struct SettingError: Error, CustomStringConvertible {
    package let name: String
    package let expected: String

    package var description: String { "\(name): \(expected)" }
}
