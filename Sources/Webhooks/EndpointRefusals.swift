/// The organization has the greatest number of endpoints already.
package struct TooManyEndpoints: Error { package init() {} }

/// The endpoint is disabled.
package struct EndpointDisabled: Error { package init() {} }

/// The lease of a delivery is over.
package struct LeaseEnded: Error { package init() {} }

/// A later process of the same relay delivers: two relays use the same folder, or one uses a copy of it.
package struct RelayIsSuperseded: Error { package init() {} }
