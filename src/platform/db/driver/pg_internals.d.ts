import type { Connection } from 'pg'

// Members of the driver that its types lack.
declare module 'pg' {
  interface ClientBase {
    readonly connection: Connection
    /** Process ID of the session, as the server reports it. */
    readonly processID: number
    readonly user?: string | undefined
  }
}
