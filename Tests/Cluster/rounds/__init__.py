"""What runs in the rounds: clients, observers, faults, and what is stored at the end."""
