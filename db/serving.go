package db

// ServingLock is the key of the advisory lock that every serving program shares. Who replaces the secret takes it alone.
const ServingLock = 0x736572766564
