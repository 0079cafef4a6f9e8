import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { launch } from '../test/browser/launch.ts'
import { openSchedule } from '../test/harness/schedules.ts'
import { PASSWORD, startSite } from '../test/harness/visiting.ts'

// node bench/field_day.ts [--days 5]: a technician's day in Chromium while the network is cut, slowed and flapping, the page is
// killed in the middle, and answers of the service are lost or turn into faults. What the office has afterwards is compared with what
// was done: an act that is there twice, or not at all, ends it with 1. How long it takes says nothing.
const { values } = parseArgs({ options: { days: { type: 'string', default: '5' } } })
const [VISITS, NOTES] = [3, 4]

const service = await startSite()
const company = await openSchedule(service)
const browser = await launch()
const total = { days: 0, acts: 0, doubled: 0, lost: 0, undone: 0, kills: 0, faults: 0 }

for (let day = 0; day < Number(values.days); day++) {
  const luis = await company.hire(`Luis Ortega ${day}`)
  const today = Temporal.Now.plainDateISO('America/New_York').toString()
  const visits: string[] = []
  for (let i = 0; i < VISITS; i++)
    visits.push(String((await company.book({ scheduled_start: `${today}T1${i}:00`, assignees: [luis.id] })).id))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  context.setDefaultTimeout(120_000)
  const bad = await makeBad(context)
  let page = await signedIn(context, luis.email)
  for (const visit of visits) {
    for (const act of actsOn(visit)) {
      bad.change()
      page = await actOn(context, page, visit, act)
    }
  }
  bad.end()
  await page.goto(`${service.config.baseUrl}/field/${company.id}/`)
  await page.reload()
  await page
    .locator('.field-state.sent')
    .waitFor({ timeout: 30_000 })
    .catch(async () => {
      await page.locator('#state').click()
      console.log('not all was sent:', await page.locator('main').innerText())
    })
  await count(visits)
  await context.close()
  total.days++
}
console.table([total])
await browser.close()
await service.stop()
process.exitCode = total.doubled + total.lost + total.undone === 0 ? 0 : 1

type Doing = { kind: 'step' } | { kind: 'note'; body: string }

/** Returns what is done on a visit, notes between its three steps. */
function actsOn(visit: string): Doing[] {
  const notes = Array.from({ length: NOTES }, (_, i): Doing => ({ kind: 'note', body: noteOf(visit, i) }))
  return [{ kind: 'step' }, ...notes.slice(0, 2), { kind: 'step' }, ...notes.slice(2), { kind: 'step' }]
}

/** Is a note that no other visit has. */
function noteOf(visit: string, i: number): string {
  return `Note ${i} of ${visit}`
}

/** Makes a network that cuts off, slows down, loses answers and turns them into faults, each at random, until it ends. */
async function makeBad(context: BrowserContext): Promise<{ change(): void; end(): void }> {
  let mood: 'good' | 'cut' | 'slow' | 'lossy' | 'faulty' = 'good'
  await context.route('**/field/*/{acts,day.json}*', async (route) => {
    const now = mood
    if (now !== 'good' && now !== 'slow') total.faults++
    if (now === 'cut') return route.abort().catch(() => undefined)
    if (now === 'faulty') return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '{}' })
    if (now === 'slow') await new Promise((resolve) => setTimeout(resolve, randomInt(2_000)))
    if (now !== 'lossy') return route.continue().catch(() => undefined)
    await route.fetch().catch(() => undefined)
    return route.abort().catch(() => undefined)
  })
  const moods = ['good', 'cut', 'slow', 'lossy', 'faulty'] as const
  return { change: () => void (mood = moods[randomInt(moods.length)]!), end: () => void (mood = 'good') }
}

async function signedIn(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.config.baseUrl}/sign-in?to=${encodeURIComponent(`/field/${company.id}/`)}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('main.alive .field-next').waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  return page
}

/** Does one act; one time in five the page is killed right after it was kept, while it is being sent. */
async function actOn(context: BrowserContext, page: Page, visit: string, act: Doing): Promise<Page> {
  total.acts++
  await page.goto(`${service.config.baseUrl}/field/${company.id}/#v-${visit}`)
  await page.locator('.field-dock').waitFor()
  if (act.kind === 'step') {
    const before = await page.locator('.field-view > .field-head .status').textContent()
    await page.locator('.field-dock [data-do="step"]').click()
    await page.locator('.field-view > .field-head .status').filter({ hasNotText: before! }).waitFor()
  } else {
    await page.locator('#do-note').click()
    await page.locator('#sheet textarea').fill(act.body)
    await page.locator('#sheet .button.main').click()
    await page.locator('.field-part li', { hasText: act.body }).waitFor()
  }
  if (randomInt(5) > 0) return page
  total.kills++
  await page.close()
  return context.newPage()
}

/** Compares the visits with what was done on them. */
async function count(visits: readonly string[]): Promise<void> {
  for (const id of visits) {
    if ((await company.job(id))['status'] !== 'done') total.undone++
    const { rows } = await company.call('notes_list', { subject_type: 'job', subject_id: id, limit: 100 })
    const bodies = (rows as { excerpt: string }[]).map(({ excerpt }) => excerpt)
    for (let i = 0; i < NOTES; i++) {
      const found = bodies.filter((body) => body === noteOf(id, i)).length
      total.doubled += Math.max(0, found - 1)
      total.lost += found === 0 ? 1 : 0
    }
  }
}
