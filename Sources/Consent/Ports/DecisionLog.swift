/// Keeps every decision, for as long as the organization's retention says. Callers depend on the roles that they need.
package protocol DecisionLog: DecisionRecorder, DecisionArchive {}
