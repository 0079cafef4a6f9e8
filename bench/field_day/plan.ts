import type { Page } from 'playwright-core'
import { pngOf } from '../../test/browser/harness/png.ts'

/** Action of a technician: its label on the phone afterwards, and the steps on the visit's page. */
export type Action = { label: string; do(page: Page): Promise<void> }

export const ITEM = { name: 'Expansion valve', kind: 'product', unit_price_cents: 4200 }
export const CHECKS = [
  { text: 'Valve closed', kind: 'check' },
  { text: 'Serial number', kind: 'text' },
  { text: 'Pressure', kind: 'number' },
] as const

/**
 * Returns all actions on a visit, in order: every kind of event, and each of its steps. The time is started first, because
 * work in progress would start it automatically.
 */
export const actionsOn = (visit: number): Action[] => [
  step('On the way'),
  late([10, 15][visit % 2]!),
  timer('started', 'Start time'),
  step('In progress'),
  note(`Found it leaking, ${visit}`),
  tick(CHECKS[0].text),
  answer(CHECKS[1].text, `SN-${visit}`),
  answer(CHECKS[2].text, `${visit + 2}.5`),
  photo(visit),
  part(visit + 2),
  timer('paused', 'Pause time'),
  hold('Needs a longer hose'),
  timer('started', 'Start time'),
  step('In progress'),
  correctedTime(visit),
  forgottenTime(visit),
  signature(`Maeve ${visit}`),
  payment(visit),
  note(`Left it clean, ${visit}`),
  timer('ended', 'End time'),
  step('Done'),
]

const inSheet = (page: Page, name: string): Promise<void> =>
  page.locator('#sheet').getByRole('button', { name, exact: true }).click()

const step = (status: string): Action => ({
  label: `Status: ${status}`,
  do: (page) => page.locator('.field-dock [data-do="step"]').click(),
})

const timer = (what: string, label: string): Action => ({
  label: `Time: ${label}`,
  do: (page) => page.locator(`#time-${what}`).click(),
})

const late = (minutes: number): Action => ({
  label: `Late by ${minutes} minutes`,
  do: async (page) => {
    await page.locator('#do-late').click()
    await inSheet(page, `${minutes} min`)
  },
})

const note = (body: string): Action => ({
  label: `Note: ${body}`,
  do: async (page) => {
    await page.locator('#do-note').click()
    await page.locator('#sheet textarea').fill(body)
    await inSheet(page, 'Save')
  },
})

const hold = (reason: string): Action => ({
  label: `Status: On hold, ${reason}`,
  do: async (page) => {
    await page.locator('#do-hold').click()
    await page.locator('#sheet').getByLabel('Reason').fill(reason)
    await inSheet(page, 'Save')
  },
})

const tick = (item: string): Action => ({
  label: `Checklist: ${item}`,
  do: (page) => page.locator('.field-check', { hasText: item }).click(),
})

const answer = (item: string, value: string): Action => ({
  label: `Checklist: ${item}: ${value}`,
  do: async (page) => {
    await page.locator('.field-check', { hasText: item }).click()
    await page.locator('#sheet input').fill(value)
    await inSheet(page, 'Save')
  },
})

const photo = (visit: number): Action => ({
  label: 'Photo',
  do: (page) =>
    page
      .locator('#photo')
      .setInputFiles({ name: `IMG_${visit}.png`, mimeType: 'image/png', buffer: PICTURES[visit % 2]! }),
})

const PICTURES = [pngOf(2400, 1600, [200, 90, 20]), pngOf(1600, 2400, [20, 90, 200])]

const part = (quantity: number): Action => ({
  label: `Part: ${quantity} × ${ITEM.name}`,
  do: async (page) => {
    await page.locator('#do-part').click()
    await page.locator('#sheet').getByLabel('Part or service').fill(ITEM.name)
    await page.locator('#sheet').getByLabel('Quantity').fill(String(quantity))
    await inSheet(page, 'Add')
  },
})

/**
 * Returns the time that the office entered for a visit and the technician corrects: three days ago, different for each
 * visit.
 */
export const writtenTime = (visit: number, minutes: readonly [number, number]): readonly [string, string] => {
  const day = Temporal.Now.plainDateISO('UTC').subtract({ days: 3 }).toString()
  const [from, until] = minutes.map((minute) => `${day}T${10 + visit}:${minute}`)
  return [from!, until!]
}

/** Moves both ends of the time that the office entered, with a reason. */
const correctedTime = (visit: number): Action => ({
  label: 'Corrected time',
  do: async (page) => {
    const [from, until] = writtenTime(visit, [12, 48])
    await page.locator('#do-time_correction').click()
    const sheet = page.locator('#sheet')
    const written = await sheet.locator('option:nth-last-child(2)').getAttribute('value')
    await sheet.getByLabel('Which time?').selectOption(written)
    await sheet.getByLabel('From').fill(from)
    await sheet.getByLabel('Until').fill(until)
    await sheet.getByLabel('Reason').fill('Left later')
    await inSheet(page, 'Save')
  },
})

/** Adds a forgotten entry two days ago, which is over in every time zone and overlaps no other entry. */
const forgottenTime = (visit: number): Action => ({
  label: 'Corrected time',
  do: async (page) => {
    const day = Temporal.Now.plainDateISO('UTC').subtract({ days: 2 }).toString()
    await page.locator('#do-time_correction').click()
    const sheet = page.locator('#sheet')
    await sheet.getByLabel('Which time?').selectOption('')
    await sheet.getByLabel('From').fill(`${day}T${10 + visit}:00`)
    await sheet.getByLabel('Until').fill(`${day}T${10 + visit}:30`)
    await sheet.getByLabel('Reason').fill('Fetched the parts')
    await inSheet(page, 'Save')
  },
})

const signature = (name: string): Action => ({
  label: `Signature of ${name}`,
  do: async (page) => {
    await page.locator('#do-signature').click()
    await page.locator('#sheet').getByLabel("Signer's name").fill(name)
    const { x, y } = (await page.locator('#sheet svg.signature').boundingBox())!
    await page.mouse.move(x + 20, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + 120, y + 60)
    await page.mouse.up()
    await inSheet(page, 'Save')
  },
})

const payment = (visit: number): Action => ({
  label: `Payment of $${40 + visit}.00`,
  do: async (page) => {
    await page.locator('#do-payment').click()
    await page
      .locator('#sheet')
      .getByLabel('Amount')
      .fill(String(40 + visit))
    await inSheet(page, visit % 2 === 0 ? 'Cash' : 'Check')
  },
})
