import JSON

/// The state that Patroni reports through its REST API, and the settings in it that lose acknowledged writes
/// (https://patroni.readthedocs.io/en/latest/rest_api.html).
package struct PatroniDiagnosis {
    /// The first version that never takes the leader's key back without a check: 3.0.3 fixes it for `etcd3:`
    /// (https://github.com/patroni/patroni/pull/2693), 3.1.0 for primaries that were replaced (2787).
    private static let safeVersion = [3, 1]

    private let base: String
    private let status: JSONObject?
    private let failure: ProbeFailure?
    private let configuration: JSONObject?
    private let isQuorum: Bool

    /// - Parameters:
    ///   - status: the answer of `/patroni`, or why there was none.
    ///   - configuration: the answer of `/config`.
    ///   - isQuorum: whether `durability` is `quorum`.
    package init(
        base: String, status: Result<ServiceDiagnosis.Answer, ProbeFailure>, configuration: ServiceDiagnosis.Answer?,
        isQuorum: Bool
    ) {
        self.base = base
        switch status {
        case .success(let answer): (self.status, failure) = (Self.object(answer), nil)
        case .failure(let failure): (self.status, self.failure) = (nil, failure)
        }
        self.configuration = Self.object(configuration)
        self.isQuorum = isQuorum
    }

    /// What must be changed; empty if nothing is wrong.
    package var entries: [DiagnosisEntry] {
        guard let version else { return [noAnswer] }
        return versionEntries(version) + (isQuorum ? modeEntries : [])
    }

    private var noAnswer: DiagnosisEntry {
        let reason = failure.map { ": \($0)" } ?? ""
        let remedy =
            switch failure {
            case .untrustedCertificate: "Name a file with the certificate of its authority: --patroni-ca FILE."
            case .otherName: "Name the member by the name or the address that stands in its certificate."
            case .unreachable, nil: "Name the REST API of a member, such as https://db1.example.com:8008."
            }
        return DiagnosisEntry("Patroni", "no Patroni answers at \(base)\(reason)", remedy: remedy)
    }

    private var version: String? {
        // A replica answers 503 to some requests, and to this one with the same members.
        guard case .object(let patroni)? = status?["patroni"], case .string(let version)? = patroni["version"] else {
            return nil
        }
        return version
    }

    private func versionEntries(_ version: String) -> [DiagnosisEntry] {
        let parts = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        guard parts.lexicographicallyPrecedes(Self.safeVersion) else { return [] }
        return [
            DiagnosisEntry(
                "Patroni",
                "Patroni \(version) with etcd3: may discard acknowledged commits after its agent stood still",
                remedy: "Use Patroni 3.1 or later. With etcd: (the v2 interface) 3.0.2 has lost nothing in tests.")
        ]
    }

    private var modeEntries: [DiagnosisEntry] {
        guard let configuration else {
            return [
                DiagnosisEntry(
                    "Patroni", "its configuration cannot be read", remedy: "See whether \(base)/config answers.")
            ]
        }
        return ["synchronous_mode", "synchronous_mode_strict"].compactMap { name in
            guard configuration[name] != .bool(true) else { return nil }
            // The standby that takes over must be one that every commit has waited for (Deploy/patroni/patroni.yaml).
            let danger =
                configuration[name] == .string("quorum")
                ? "after a failover a node may believe rules that are no longer in force"
                : "only one server may have the acknowledged writes"
            return DiagnosisEntry(
                "Patroni", "\(name) is not true, and durability is quorum: \(danger)",
                remedy: "patronictl edit-config --set \(name)=true")
        }
    }

    private static func object(_ answer: ServiceDiagnosis.Answer?) -> JSONObject? {
        guard let answer, case .object(let object)? = try? JSONValue.parse(Array(answer.body.utf8)) else { return nil }
        return object
    }
}
