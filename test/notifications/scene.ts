import { pino } from 'pino'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { sql, writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import type { Result } from '../harness/harness.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { ZONE, phoneOf } from '../harness/messaging/phones.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type Browser } from '../harness/web_client.ts'
import { VAPID_PRIVATE_KEY, startPushService } from './push_service.ts'

const NUMBER = '+16175550100'

/** Starts a service with push notifications, a push service, and a company whose members subscribe. */
export async function startNotifying() {
  const service = await startSite({ ...WEBHOOK_ENV, VAPID_PRIVATE_KEY })
  const push = await startPushService(() => service.config.baseUrl)
  const office = await openOffice(service, 'Alder Plumbing', ZONE)
  const provider = providerOf(service)
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  const run = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    writeTenant(service.database, { tenant: office.id }, work)
  const tasks = configurableTasks(service.config, service.database, { network: push.network }).filter(({ name }) =>
    name.startsWith('push'),
  )

  return {
    service,
    push,
    office,
    tasks,
    run,
    /** Delivers notifications as a worker does some seconds later. Returns the messages received. */
    async deliver({ seconds = 3 } = {}) {
      const before = push.received.length
      const worker = {
        database: service.database,
        log: pino({ level: 'silent' }),
        clock: () => Temporal.Now.instant().add({ seconds }),
        stopping: new AbortController().signal,
      }
      await enrollAll(worker, tasks)
      await service.database.send([sql`update chore_leases set locked_until = null where chore = 'push'`])
      for (let turn = 0; turn < 2; turn++) {
        await service.database.send([sql`update chore_leases set due_at = moment() where chore = 'push_routing'`])
        await runDue(worker, tasks)
      }
      return push.received.slice(before)
    },
    /** Subscribes a person's browser. Returns its messages and responses. */
    async turnOn(
      person: { user_id: string; browser: Browser },
      kinds: readonly string[],
      at: Pick<Office, 'id'> = office,
    ) {
      const device = await push.subscribe()
      const phone = phoneOf(service, at, person.user_id, person.browser)
      const put = (body: object) =>
        phone.ask('push', {
          method: 'PUT',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        })
      const answer = await put({ ...device.subscription, kinds })
      return { ...device, answer, put, phone, messages: () => push.messagesAt(device.path) }
    },
    /** Books a visit some hours from now. */
    async book(
      assignees: readonly string[],
      { hours = 1, ...more }: Record<string, unknown> & { hours?: number } = {},
    ) {
      const customer = await office.customer('Maria')
      const scheduled_start = Temporal.Now.instant().add({ hours }).round('minute').toString()
      return office.call('jobs_create', {
        customer_id: customer.id,
        title: 'Leak',
        scheduled_start,
        assignees,
        ...more,
      })
    },
    text: (From = '+16175550999'): Promise<Result> =>
      provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), To: NUMBER, From, Body: 'Hello' }),
    devices: () =>
      run((db) =>
        db.all<{ id: string; user_id: string; endpoint: string; kinds: string[] }>(
          sql`select id, user_id, endpoint, kinds from push_devices where tenant_id = ${office.id} order by created_at, id`,
        ),
      ),
    waiting: async () =>
      (
        await run((db) =>
          db.one<{ count: number }>(sql`select count(*)::int as count from push_tasks where tenant_id = ${office.id}`),
        )
      ).count,
    async stop() {
      await push.stop()
      await service.stop()
    },
  }
}

export type Notifying = Awaited<ReturnType<typeof startNotifying>>
