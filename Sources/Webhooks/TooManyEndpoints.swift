/// The organization has the greatest number of endpoints already.
package struct TooManyEndpoints: Error { package init() {} }
