"""What stands around the clients: a door that sees every request, a website that links lead to, people, the feed."""
