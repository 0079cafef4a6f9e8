import type { ClientConfig } from 'pg'

/** Formats a connection as a URL. */
export function addressOf({ host = '', port, user, password, database }: ClientConfig): string {
  const who = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(String(password))}@`
  return `postgres://${who}localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
