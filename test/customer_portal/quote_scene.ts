import type { Result } from '../harness/harness.ts'
import { submit } from '../harness/identity/people_pages.ts'
import { fieldValueOf, openPortalScene } from './portal_scene.ts'

export type QuoteScene = Awaited<ReturnType<typeof openQuoteScene>>

/** Starts the service and a company with a default tax rate, whose customers answer quotes. */
export async function openQuoteScene() {
  const portal = await openPortalScene()
  const { office } = portal
  const rate: Result = await office.call('tax_rates_create', {
    name: 'Sales tax',
    rate_percentage: 8.25,
    is_default: true,
  })
  const readQuote = (id: string): Promise<Result> => office.call('quotes_get', { id })
  return {
    ...portal,
    rate,
    readQuote,
    readStatuses: async (...ids: string[]): Promise<string[]> =>
      Promise.all(ids.map(async (id) => (await readQuote(id))['status'])),
    doOn: (quote: string, act: string, fields: Record<string, string> = {}) =>
      submit(office.browser, office.at('quotes', quote, 'do', act), fields),
    /** Presses a button that has no confirmation page. */
    press: (quote: string, act: string) => office.browser.post(office.at('quotes', quote, 'do', act), {}),
    /** Accepts a quote as its customer, with optional lines. */
    async accept(path: string, add: readonly string[] = [], fields: Record<string, string> = {}) {
      const browser = portal.browser()
      const query = add.length === 0 ? '' : `?${new URLSearchParams(add.map((id) => ['add', id])).toString()}`
      const { text } = await browser.get(`${path}/accept${query}`)
      const body = new URLSearchParams([
        ['shown', fieldValueOf(text, 'shown')],
        ['name', 'Maria Lopez'],
        ...add.map((id) => ['add', id]),
        ...Object.entries(fields),
      ])
      const headers = { origin: 'null' }
      return { asked: text, ...(await browser.send(`${path}/accept`, { method: 'POST', headers, body })) }
    },
  }
}

export const line = (name: string, unit_price_cents: number) => ({ line_items: [{ name, unit_price_cents }] })
