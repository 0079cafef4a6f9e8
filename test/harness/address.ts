import type { ClientConfig } from 'pg'

/** Returns a connection as one address. */
export function addressOf({ host = '', port, user, password, database }: ClientConfig): string {
  const who = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(String(password))}@`
  return `postgres://${who}localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
