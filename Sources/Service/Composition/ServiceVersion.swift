/// Which version of the service this is.
package enum ServiceVersion {
    package static let current = "0.1.0"
}
