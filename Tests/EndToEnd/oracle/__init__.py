"""The rules of consent, written from the documents alone, and walks that hold a service to them."""
