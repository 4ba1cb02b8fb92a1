/// The endpoint is disabled.
package struct EndpointDisabled: Error { package init() {} }
