extension PayloadFormat {
    /// The layout of each format. This is the only place that lists them all.
    var layout: any PayloadLayout {
        switch self {
        case .dynamics365(.ios): Dynamics365IOSLayout()
        case .dynamics365(.android): Dynamics365AndroidLayout()
        case .adobeCampaign(.ios): AdobeCampaignIOSLayout()
        case .adobeCampaign(.android): AdobeCampaignAndroidLayout()
        case .bird(.ios): BirdIOSLayout()
        case .bird(.android): BirdAndroidLayout()
        case .email: EmailLayout()
        case .plain: PlainLayout()
        }
    }
}
