import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startTestServer } from '../server.ts'

export type EmptyDatabase = { owner: pg.ClientConfig; drop(): Promise<void> }

/** Makes a database without a schema. Its owner is the superuser, or a role that the policies apply to. */
export async function makeEmptyDatabase({ ordinary = false } = {}): Promise<EmptyDatabase> {
  const server = await startTestServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  const run = async (...statements: string[]): Promise<unknown[]> => {
    const answers: unknown[] = []
    const admin = new pg.Client(server.connection)
    await admin.connect()
    for (const statement of statements) answers.push(...(await admin.query(statement)).rows)
    await admin.end()
    return answers
  }
  const role = ordinary ? { user: name, password: randomBytes(12).toString('hex') } : {}
  if (ordinary) {
    await run(
      `create role ${name} login createrole password '${role.password}'`,
      `grant callout_app to ${name} with admin option`,
    )
  }
  const [made] = (await run(
    `create database ${name}${ordinary ? ` owner ${name}` : ''}`,
    `select oid from pg_database where datname = '${name}'`,
  )) as [{ oid: number }]
  return {
    owner: { ...server.connection, ...role, database: name },
    drop: async () => {
      try {
        await run(`drop database ${name} with (force)`)
        // Objects that a failed test left to these roles are removed with the server.
        await run(`drop role if exists callout_app_${made.oid}`, ...(ordinary ? [`drop role ${name}`] : [])).catch(
          () => {},
        )
      } finally {
        await server.stop()
      }
    },
  }
}
