/// A later process of the same relay delivers: two relays use the same folder, or one uses a copy of it.
package struct RelayIsSuperseded: Error { package init() {} }
