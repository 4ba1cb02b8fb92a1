/// Everything a storage does with consent. Callers depend on the roles that they need.
package protocol ConsentStore: ConsentLookup, ConsentRecorder, ConsentArchive, ConsentFeed {}
