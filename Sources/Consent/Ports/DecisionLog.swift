/// Stores every decision for the organization's retention. Callers should depend only on the roles that they need.
package protocol DecisionLog: DecisionRecorder, DecisionArchive {}
