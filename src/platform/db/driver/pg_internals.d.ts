import type { Connection } from 'pg'

// What the driver has and its types leave out.
declare module 'pg' {
  interface ClientBase {
    readonly connection: Connection
    /** Process of the session, as the server reports it. */
    readonly processID: number
    readonly user?: string | undefined
  }
}
