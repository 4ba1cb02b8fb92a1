/// The system that reads a payload.
package enum PayloadFormat: Hashable, Sendable {
    case dynamics365(Platform)
    case adobeCampaign(Platform)
    case bird(Platform)
    /// The bodies of a mail, for the system that sends it.
    case email
    /// Only the links and the tracking ID, for backends that build their payloads themselves.
    case plain

    /// The platform of the device, and thereby the carrier: APNs or FCM.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case ios
        case android
    }

    /// The name of a format in a request.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case dynamics365
        case adobeCampaign = "adobe-campaign"
        case bird
        case email
        case plain
    }

    /// - Throws: if a platform is missing, or if one is named and the format has none.
    package init(_ name: Name, platform: Platform?) throws(PayloadFormatError) {
        switch (name, platform) {
        case (.dynamics365, let platform?): self = .dynamics365(platform)
        case (.adobeCampaign, let platform?): self = .adobeCampaign(platform)
        case (.bird, let platform?): self = .bird(platform)
        case (.dynamics365, nil), (.adobeCampaign, nil), (.bird, nil): throw .platformMissing
        case (.email, nil): self = .email
        case (.plain, nil): self = .plain
        case (.email, _), (.plain, _): throw .platformSuperfluous
        }
    }
}

/// A platform that does not go with the format. The description follows the name of the member `platform`.
package enum PayloadFormatError: Error, CustomStringConvertible {
    case platformMissing
    case platformSuperfluous

    package var description: String {
        switch self {
        case .platformMissing: "is required by this format: ios or android"
        case .platformSuperfluous: "must not be set: this format is the same on every platform"
        }
    }
}
