import { sql } from '../../src/platform/db/tenant.ts'
import { fieldValueOf, openPortalScene } from './portal_scene.ts'

export const SIGNED = 'M10 20L30 40L599 199M5 5'

type Accepted = {
  name: string
  signature: string | null
  address: string
  user_agent: string
  hash: Buffer
  content: object
}

export type Answering = Awaited<ReturnType<typeof startAnswering>>

/** Starts a service and a company whose customer signs quotes by link. */
export async function startAnswering() {
  const portal = await openPortalScene()
  return {
    ...portal,
    acceptances: (quote: string): Promise<Accepted[]> =>
      portal.all(
        sql`select name, signature, address, user_agent, hash, content from acceptances where quote_id = ${quote}`,
      ),
    statusOf: async (quote: string): Promise<unknown> =>
      (await portal.office.call('quotes_get', { id: quote }))['status'],
    /** Opens the confirmation page and submits it. */
    async accept(path: string, fields: Record<string, string> = {}) {
      const browser = portal.browser()
      const { text } = await browser.get(`${path}/accept`)
      const given = { shown: fieldValueOf(text, 'shown'), name: 'Maria Lopez', signature: SIGNED, ...fields }
      return { ...(await browser.post(`${path}/accept`, given)), address: browser.address }
    },
  }
}
