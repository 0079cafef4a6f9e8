import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { queueMessage } from '../../../src/messaging/outbox/queue.ts'
import { SERVICE } from '../../../src/platform/leases/lease.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { every } from '../../../src/worker/schedule.ts'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { startHealth, type Watched } from '../../harness/health.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { startMailServer } from '../../harness/messaging/mail_server.ts'
import { MAIL } from '../../harness/messaging/outbox_scene.ts'
import { itWithCommand } from '../../harness/processes/programs.ts'
import { alertsOfSilence, alertsOver, rules, type Scrape } from '../../harness/promtool.ts'

// Every alert fires for a fault made on purpose. The scrapes before and after it are real, and Prometheus' own
// promtool evaluates the rules over them.

let dataDir: string
const isRoot = process.getuid?.() === 0
let isMounted = false
let isBroken = false
let mail: Awaited<ReturnType<typeof startMailServer>>
let service: Watched
let company: Company
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-alerts-'))
  mail = await startMailServer()
  service = await startHealth(
    {
      DATA_DIR: dataDir,
      SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${mail.config.port}`,
      MAIL_FROM: 'Callout <callout@mail.example>',
      DISK_MIN_FREE_PERCENT: '0',
    },
    [
      {
        name: 'fragile_task',
        of: 'service',
        next: every({ seconds: 1 }),
        lane: 'fragile',
        run: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()),
      },
    ],
  )
  company = await makeCompany(service)
  await service.operator.signIn(service.company.owner.email)
  await service.nextTurn()
})
after(async () => {
  await service.stop()
  await mail.stop()
  if (isMounted) execFileSync('umount', [dataDir])
  await rm(dataDir, { recursive: true, force: true })
})

/** Mounts a disk of 4 MiB. Only root may; otherwise the disk alert is not tested. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write('NOT TESTED: CalloutDiskFull. Only root mounts a small disk\n')
    return false
  }
}

const scrape = async (): Promise<Scrape> => ({ text: await service.metrics(), at: Date.now() / 1_000 })

const callTool = (): Promise<Response> =>
  fetch(service.url, {
    method: 'POST',
    headers: toolHeaders(company.owner.key),
    body: rpc('tools/call', { name: 'tags_list', arguments: {} }),
  })

const times = async (count: number, work: (i: number) => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i++) await work(i)
}

/** Runs the work while a table is locked. */
async function whileLocked(table: string, work: () => Promise<unknown>): Promise<void> {
  const client = new Client(service.owner)
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  await work()
  await client.end()
}

const raised = new Set<string>()

/** Causes a fault between two scrapes and asserts that its alerts fire only after it. */
async function raise(wanted: readonly string[], fault: () => Promise<Scrape | void>): Promise<void> {
  const sound = await scrape()
  const { before, after } = await alertsOver(sound, (await fault()) ?? (await scrape()))
  assert.deepEqual(
    [before.filter((alert) => wanted.includes(alert)), wanted.filter((alert) => !after.includes(alert))],
    [[], []],
    `${after.join(', ')} fire`,
  )
  for (const alert of wanted) raised.add(alert)
}

describe('an alert fires for its fault', () => {
  itWithCommand('promtool', 'when nothing is wrong, none does', async () => {
    await times(5, callTool)
    await service.operator.get('/operator')
    const { before, after } = await alertsOver(await scrape(), await scrape())
    assert.deepEqual([before, after], [[], []])
    assert.deepEqual(await alertsOfSilence(), ['CalloutDown'])
    raised.add('CalloutDown')
  })

  itWithCommand('promtool', 'tools, pages and webhooks fail', () =>
    raise(['CalloutToolErrors', 'CalloutPageErrors', 'CalloutWebhookErrors', 'CalloutUnhealthy'], async () => {
      const headers = { 'content-type': 'application/json' }
      await service.asOwner('alter table tags rename to tags_gone; alter table sessions rename to sessions_gone')
      await times(20, async () => {
        await callTool()
        await service.operator.get('/operator')
        await fetch(`${service.origin}/api/webhooks/email/inbound`, { method: 'POST', body: '{}', headers })
      })
      await service.asOwner('alter table tags_gone rename to tags; alter table sessions_gone rename to sessions')
      await service.untilReported()
      await service.nextTurn()
    }),
  )

  itWithCommand('promtool', 'pages and the database are slow, and callers wait', () =>
    raise(['CalloutSlowPages', 'CalloutSlowQueries', 'CalloutDatabaseWait'], async () => {
      let loaded: Scrape | undefined
      await whileLocked('sessions, tags', async () => {
        const waiting = [
          ...Array.from({ length: 40 }, () => service.operator.get('/operator')),
          ...Array.from({ length: 40 }, callTool),
        ]
        do loaded = await scrape()
        while (!/^callout_database_waiting [1-9]/m.test(loaded.text))
        await Promise.allSettled(waiting)
      })
      const { text, at } = await scrape()
      const queue = /^callout_database_waiting .*$/m
      return { text: text.replace(queue, queue.exec(loaded?.text ?? '')?.[0] ?? ''), at }
    }),
  )

  itWithCommand('promtool', 'a process is busy', () =>
    raise(['CalloutBusyProcess'], async () => {
      await scrape()
      await times(4, async () => {
        for (const end = performance.now() + 800; performance.now() < end;);
        await sleep(1)
      })
    }),
  )

  itWithCommand('promtool', 'a provider takes no mail', () =>
    raise(['CalloutHandoversFail', 'CalloutOutboxStuck'], async () => {
      mail.how.atRecipient = () => '451 Try later'
      await addChannel(service.database, MAILBOXES, company.tenant, 'office@alder.example')
      await times(3, (i) =>
        writeTenant(service.database, { tenant: company.tenant }, (db) =>
          queueMessage(db, { ...MAIL, to: `ana-${i}@example.com` }),
        ),
      )
      while (!/callout_handovers_total\{[^}]*later"\} [3-9]/.test(await service.metrics())) await sleep(200)
      await writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`update outbox set created_at = now() - interval '1 hour' where tenant_id = ${db.tenant}`),
      )
      await service.nextTurn()
    }),
  )

  itWithCommand('promtool', 'a task is late, one fails, a backup is old, and the quarantine fills', () =>
    raise(['CalloutTaskLate', 'CalloutTaskFails', 'CalloutBackupOld', 'CalloutQuarantine'], async () => {
      isBroken = true
      await service.database.send([
        sql`insert into chore_leases (tenant_id, chore, due_at)
            values (${SERVICE}, 'stuck_task', now() - interval '2 hours')`,
        sql`insert into backup_status (kind, succeeded_at) values ('backup', now() - interval '30 hours')`,
        sql`insert into quarantined_messages
              (id, channel, provider_message_id, content_hash, reason, sender, recipients, excerpt, raw)
            select gen_random_uuid(), 'email', 'm' || n, '\\x00', 'no_tenant', 'ana@example.com', '{x@in.example.com}', '', '\\x00'
            from generate_series(1, 30) n`,
      ])
      while (
        !/callout_task_runs_total\{task="fragile_task",outcome="failed"\} (?:[89]|\d\d)/.test(await service.metrics())
      )
        await sleep(500)
      isBroken = false
      await service.nextTurn()
    }),
  )

  itWithCommand('promtool', 'somebody guesses passwords', () =>
    raise(['CalloutSignInsFail'], () => times(800, (i) => service.operator.signIn(`nobody-${i}@example.com`))),
  )

  itWithCommand('promtool', 'a disk fills', async () => {
    await raise(isRoot ? ['CalloutDiskFull'] : [], async () => {
      isMounted = mountSmallDisk(dataDir)
      if (isMounted) await writeFile(join(dataDir, 'full'), Buffer.alloc(3.8 * 2 ** 20))
    })
    if (!isRoot) raised.add('CalloutDiskFull')
  })

  itWithCommand('promtool', 'the checks stand still', () =>
    raise(['CalloutChecksStopped'], async () => {
      await service.database.send([
        sql`update chore_leases set due_at = now() + interval '1 day', locked_until = null where chore = 'health_checks'`,
      ])
      const { text, at } = await scrape()
      // Ten minutes later, with the same row.
      return { text, at: at + 600 }
    }),
  )

  itWithCommand('promtool', 'so that each was raised once', async () => {
    assert.deepEqual(
      (await rules()).flatMap(({ alert = [] }) => alert).filter((alert) => !raised.has(alert)),
      [],
    )
  })
})
