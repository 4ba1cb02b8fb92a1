extension Tables {
    static let keyPages = """
        -- A page of an organization's keys is read behind an id.
        DROP INDEX access_keys_by_organization;
        CREATE INDEX access_keys_by_organization ON access_keys (organization, id);
        """
}
