import ServiceLifecycle

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A service that is named by its type. Errors and log lines of the group show the name; otherwise it would be all
    /// that the service contains, which also takes a fifth of a start to write.
    ///
    /// - Parameter ending: what the group does when the service returns.
    static func named(
        _ service: any Service,
        atItsEnd ending: ServiceGroupConfiguration.ServiceConfiguration.TerminationBehavior = .cancelGroup
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        // Unlike a description of the type, this does not search for what the type conforms to.
        let name = _typeName(type(of: service), qualified: false)
        return .init(service: service, successTerminationBehavior: ending, serviceName: name)
    }
}
