/// The version of the service.
package enum ServiceVersion {
    package static let current = "0.1.0"
}
