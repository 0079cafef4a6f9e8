import { hash } from 'node:crypto'

/** Hashes an API key or another secret of 256 random bits. Only the hash is stored; the secret is shown once. */
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
