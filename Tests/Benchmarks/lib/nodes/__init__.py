"""Measurements on several nodes with a highly available PostgreSQL: the testbed of Deploy/cluster, each part in a network
namespace of its own on this machine."""
