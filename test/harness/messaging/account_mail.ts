import { sql } from '../../../src/platform/db/database.ts'
import { utc } from '../../../src/platform/validation/formats/instants.ts'
import { configurableTasks } from '../../../src/worker/configurable_tasks.ts'
import { SERVICE } from '../../../src/platform/leases/lease.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import type { TestService } from '../harness.ts'
import { startMailServer, type ReceivedMail } from './mail_server.ts'
import { startSite } from '../web_client.ts'
import { captureLines } from '../processes/workers.ts'

/** Runs the worker's tasks for account mail, with the test's clock. */
export function openMailbox(service: TestService) {
  const { log, lines } = captureLines()
  const chores = configurableTasks(service.config, service.database).filter(({ name }) => name === 'account_mail')
  return {
    lines,
    run: async (now = Temporal.Now.instant()): Promise<void> => {
      const context = { database: service.database, log, clock: () => now, stopping: new AbortController().signal }
      await enrollAll(context, chores)
      await service.database.send([
        sql`update chore_leases set due_at = ${utc(now)} where tenant_id = ${SERVICE} and chore = 'account_mail'`,
      ])
      await runDue(context, chores)
      const failed = lines.find(({ msg }) => msg === 'task failed')
      if (failed !== undefined) throw new Error(JSON.stringify(failed.err))
    },
    rows: async (): Promise<
      { kind: string; state: string; reply: string | null; attempts: number; about: unknown }[]
    > =>
      (
        await service.database.send([
          sql`select kind, state, reply, attempts, about from account_mails order by created_at, id`,
        ])
      )[0]!.rows as never,
  }
}

/** Starts the service with a mail server that keeps all mail. */
export async function openMailScene(env: Record<string, string> = {}) {
  const server = await startMailServer()
  const service = await startSite({
    SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${server.config.port}`,
    MAIL_FROM: 'Callout <callout@mail.example>',
    ...env,
  })
  const post = openMailbox(service)
  /** Sends the queued mail. Returns the mail to an address, newest last. */
  const mailsTo = async (address: string): Promise<ReceivedMail[]> => {
    await post.run()
    return server.taken.filter(({ to }) => to.includes(address))
  }
  return {
    service,
    server,
    post,
    mailsTo,
    /** Returns the path of the link in the newest mail to an address. */
    pathIn: async (address: string): Promise<string> => {
      const text = (await mailsTo(address)).at(-1)?.mail.text ?? `no mail among ${JSON.stringify(await post.rows())}`
      const found = /https?:\/\/[^/\s]+(\/(?:prove|new-password|join|start)\?\w+=[\w-]{43})/.exec(text)
      if (found === null) throw new Error(`No link: ${text}`)
      return found[1]!
    },
    stop: async (): Promise<void> => {
      await service.stop()
      await server.stop()
    },
  }
}

export const secretOf = (path: string): string => path.slice(path.indexOf('=') + 1)
