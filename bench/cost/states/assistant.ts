import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { formAt } from '../../../test/harness/identity/people_pages.ts'
import { callerOf } from '../../../test/harness/harness.ts'
import { LARGEST_LINES } from '../large_company.ts'
import { formBy, requestBy, type StateContext, type States } from './context.ts'

/** Asks the assistant, whose model answers at once, and returns the address of the conversation. */
async function startConversation({ outside, sandbox: { office } }: StateContext): Promise<string> {
  outside.model.play({ text: 'It is done.' })
  const { location } = await office.browser.post(office.at('assistant'), { text: 'What is open?', page: '' })
  return location!.split('#')[0]!
}

/** Number of lines with the longest texts that fit into a proposal. */
const MAX_PROPOSED_LINES = 40

/** Proposes a quote with the maximum number of lines, using an assistant's key. Returns the address of the proposal. */
async function proposeQuote({ service, sandbox: { office, customer, all } }: StateContext): Promise<string> {
  const { key } = await createKey(
    service.database,
    { tenant: office.id },
    { user: office.owner.user_id, name: 'Proposing', scopes: SCOPES, proposes: SCOPES, expires_at: null },
  )
  const lines = { customer_id: customer['id'], title: 'Large', line_items: LARGEST_LINES.slice(0, MAX_PROPOSED_LINES) }
  await callerOf(service.url, key).refusal('quotes_create', lines)
  const [plan] = await all<{ id: string }>(sql`select id from proposals order by id desc limit 1`)
  return office.at('proposals', plan!.id)
}

/** Routes of the assistant, and of its proposals. */
export const assistantStates: States = {
  'POST /:tenant{[0-9a-f-]{36}}/assistant': async ({ outside, sandbox: { office } }) => {
    outside.model.play({ text: 'It is done.' })
    return requestBy(office.browser, office.at('assistant'), { text: 'What is open?', page: '' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/assistant/:id{[0-9a-f-]{36}}': async (context) => {
    const path = await startConversation(context)
    context.outside.model.play({ text: 'Nothing more.' })
    return requestBy(context.sandbox.office.browser, path, { text: 'And then?', page: '' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/assistant/:id{[0-9a-f-]{36}}/delete': async (context) =>
    requestBy(context.sandbox.office.browser, `${await startConversation(context)}/delete`, {}),
  'POST /:tenant{[0-9a-f-]{36}}/assistant/:id{[0-9a-f-]{36}}/plans/:proposal{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    const plan = await proposeQuote(context)
    const page = await office.browser.get(plan)
    const at = `${await startConversation(context)}/plans/${plan.split('/').at(-1) ?? ''}`
    return requestBy(office.browser, at, [...formAt(page, plan), ['act', 'approve']])
  },
  'POST /:tenant{[0-9a-f-]{36}}/proposals/:id{[0-9a-f-]{36}}/calls/:position{[0-9]{1,2}}': async (context) => {
    const { office } = context.sandbox
    const path = `${await proposeQuote(context)}/calls/1`
    return formBy(office.browser, await office.browser.get(path), path)
  },
}
