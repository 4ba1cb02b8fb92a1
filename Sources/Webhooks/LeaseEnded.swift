/// The lease of a delivery is over.
package struct LeaseEnded: Error { package init() {} }
