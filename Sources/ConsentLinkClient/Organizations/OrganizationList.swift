struct OrganizationList: Decodable {
    let organizations: [Organization]
    let next: String?
}
