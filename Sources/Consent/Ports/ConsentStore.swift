/// All consent operations of a storage. Callers should depend only on the roles that they need.
package protocol ConsentStore: ConsentLookup, ConsentRecorder, ConsentArchive, ConsentFeed {}
