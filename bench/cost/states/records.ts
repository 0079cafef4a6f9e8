import { sql } from '../../../src/platform/db/tenant.ts'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { configurableTasks } from '../../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import { submit } from '../../../test/harness/identity/people_pages.ts'
import { copyPicturesFrom } from '../../../test/harness/files/catalog_pictures.ts'
import { FILES } from '../../../test/harness/files/files.ts'
import { importingInto } from '../../../test/harness/files/imports.ts'
import { workbookOf } from '../../../test/harness/files/workbook.ts'
import { captureLines } from '../../../test/harness/processes/workers.ts'
import { fieldValueOf } from '../../../test/customer_portal/portal_scene.ts'
import { openAssisted } from '../../../test/undo/undo_pages.ts'
import { LARGEST_LINES } from '../large_company.ts'
import { filesBy, formBy, requestBy, type StateContext, type States } from './context.ts'

let serial = 0

const jar = { jar: new Map<string, string>() }

/** Creates and sends a document with the maximum number of lines. Returns it with a link to it. */
async function largeDocument({ sandbox }: StateContext, kind: 'quotes' | 'invoices') {
  const { office, customer } = sandbox
  const title = kind === 'quotes' ? { title: 'Large' } : {}
  const made = await office.call(`${kind}_create`, { customer_id: customer['id'], ...title, line_items: LARGEST_LINES })
  const id = String(made['id'])
  await office.call(`${kind}_update`, { id, status: 'sent' })
  return { id, path: await sandbox.issue({ kind, id }) }
}

const answerQuote =
  (act: 'accept' | 'decline', fields: Readonly<Record<string, string>>) =>
  async (context: StateContext): Promise<ReturnType<typeof requestBy>> => {
    const { path } = await largeDocument(context, 'quotes')
    const { text } = await context.sandbox.browser().get(`${path}/${act}`)
    return requestBy(jar, `${path}/${act}`, { shown: fieldValueOf(text, 'shown'), ...fields })
  }

const visit = ({ sandbox: { office, customer } }: StateContext, more: object = {}) =>
  office.call('jobs_create', {
    customer_id: customer['id'],
    title: 'Drain',
    scheduled_start: '2027-03-05T09:00',
    line_items: LARGEST_LINES,
    ...more,
  })

const image = (field: string): FormData => {
  const form = new FormData()
  form.append(field, new File([new Uint8Array(FILES['image/png']!)], 'a.png', { type: 'image/png' }))
  return form
}

/** Copies the picture of a catalog item, and returns the copy's id. */
async function copiedPicture({ sandbox: { service, office, all } }: StateContext): Promise<string> {
  const image_url = 'https://example.com/a.png'
  const { id } = await office.call('catalog_items_create', {
    name: 'Valve',
    kind: 'fee',
    unit_price_cents: 1,
    image_url,
  })
  await copyPicturesFrom(service, office.id, Buffer.from(FILES['image/png']!))
  const [copy] = await all<{ picture_id: string }>(sql`select picture_id from catalog_pictures where item_id = ${id}`)
  return copy!.picture_id
}

/** Routes of records, their files and their links, whose state an earlier request of a sweep would end. */
export const recordStates: States = {
  'POST /c/:secret/accept': answerQuote('accept', { name: 'Maria Lopez' }),
  'POST /c/:secret/decline': answerQuote('decline', { reason: 'Too expensive' }),
  'POST /c/:secret/pay': async (context) => {
    const { path } = await payable(context)
    return requestBy(jar, `${path}/pay`, {
      press: fieldValueOf((await context.sandbox.browser().get(path)).text, 'press'),
    })
  },
  'GET /c/:secret/invoices/:id{[0-9a-f-]{36}}/paid': async (context) => {
    const { id } = await payable(context)
    const whole = await context.sandbox.issue({ kind: 'customers', id: String(context.sandbox.customer['id']) })
    const browser = context.sandbox.browser()
    const path = `${whole}/invoices/${id}`
    await browser.post(`${path}/pay`, { press: fieldValueOf((await browser.get(path)).text, 'press') })
    return requestBy(jar, `${path}/paid`)
  },
  'GET /c/:secret/pictures/:id{[0-9a-f-]{36}}': async (context) => {
    const { path } = await context.sandbox.quoteLink()
    return requestBy(jar, `${path}/pictures/${await copiedPicture(context)}`)
  },
  'GET /field/:tenant{[0-9a-f-]{36}}/pictures/:id{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    return requestBy(office.browser, `/field/${office.id}/pictures/${await copiedPicture(context)}`)
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/company/logo': async ({ sandbox: { office } }) =>
    filesBy(office.browser, office.at('settings', 'company', 'logo'), image('logo')),
  'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/media': async (context) => {
    const { office } = context.sandbox
    return filesBy(office.browser, office.at('jobs', String((await visit(context))['id']), 'media'), image('files'))
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/import/:id{[0-9a-f-]{36}}/sheet': async ({ service }) => {
    const one = await importingInto(service, 'Imported')
    const rows = [['Name', 'Email'], ...Array.from({ length: 4_900 }, (_, i) => [`Ann ${i}`, `ann${i}@example.com`])]
    const content = workbookOf({
      sheets: [
        { name: 'People', rows: rows.slice(0, 2) },
        { name: 'More', rows },
      ],
    })
    const { location } = await one.upload(content, {}, one.owner, 'all.xlsx')
    return requestBy(one.owner, location!.replace(/columns$/, 'sheet'), { sheet: 'More' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/members/:id{[0-9a-f-]{36}}/data/erase': async ({ sandbox: { office } }) => {
    const { user_id: user } = await office.signInMember('office')
    await office.browser.post(office.at('settings', 'members', user), { act: 'remove' })
    return requestBy(office.browser, office.at('settings', 'members', user, 'data', 'erase'), { name: 'Leo Park' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/data': async ({ sandbox: { office } }) =>
    requestBy(await office.signInAs(office.owner.email), office.at('settings', 'data'), {}),
  'GET /:tenant{[0-9a-f-]{36}}/settings/data/:id{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    const owner = await office.signInAs(office.owner.email)
    return requestBy(owner, office.at('settings', 'data', await makeArchive(context)))
  },
  'POST /:tenant{[0-9a-f-]{36}}/undo': async ({ service }) => {
    const scene = await openAssisted(service, 'Undone')
    const customer = await scene.customer('Hal')
    await scene.claude.call('customers_update', { id: customer['id'], first_name: 'Ham' })
    return formBy(scene.browser, await scene.browser.get(scene.path()), scene.at('undo'))
  },
  'POST /:tenant{[0-9a-f-]{36}}/:kind{quotes|invoices|customers}/:id{[0-9a-f-]{36}}/links/:link{[0-9a-f-]{36}}/take-back':
    async (context) => {
      const { office, all } = context.sandbox
      const { id } = await largeDocument(context, 'quotes')
      const [link] = await all<{ id: string }>(sql`select id from customer_links where quote_id = ${id}`)
      return requestBy(office.browser, office.at('quotes', id, 'links', link!.id, 'take-back'), {})
    },
  'POST /:tenant{[0-9a-f-]{36}}/customers/:id{[0-9a-f-]{36}}/merge': async ({ sandbox: { office } }) => {
    const [one, other] = [await office.customer('Duplicate'), await office.customer('Duplicate')]
    const at = office.at('customers', String(one['id']), 'merge')
    return requestBy(office.browser, at, { with: String(other['id']), keep: String(other['id']) })
  },
  'POST /:tenant{[0-9a-f-]{36}}/invoices/:id{[0-9a-f-]{36}}/payment': async (context) => {
    const { office } = context.sandbox
    const { id } = await largeDocument(context, 'invoices')
    const at = office.at('invoices', id, 'payment')
    return formBy(office.browser, await office.browser.get(at), at, {
      amount: '1.00',
      paid_on: '2026-03-31',
      method: 'check',
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/invoices/:id{[0-9a-f-]{36}}/payments/:payment{[0-9a-f-]{36}}/receipt': async (
    context,
  ) => {
    const { office, all } = context.sandbox
    const { id } = await largeDocument(context, 'invoices')
    const fields = { amount_cents: '1.00', method: 'check' }
    await submit(office.browser, office.at('invoices', id, 'payment'), fields)
    const [payment] = await all<{ id: string }>(sql`select id from payments where invoice_id = ${id}`)
    const at = office.at('invoices', id, 'payments', payment!.id, 'receipt')
    return requestBy(office.browser, at, { to: 'maria@example.com' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/reports/ledger': async (context) => {
    const { office } = context.sandbox
    await largeDocument(context, 'invoices')
    const today = Temporal.Now.plainDateISO('America/New_York').toString()
    return requestBy(office.browser, office.at('reports', 'ledger'), { from: today, to: today, format: 'quickbooks' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/on-my-way': async (context) => {
    const { office } = context.sandbox
    const { id } = await office.customer('Dora', { phone: '+16175550142' })
    const at = office.at('jobs', String((await visit(context, { customer_id: id }))['id']), 'on-my-way')
    return formBy(office.browser, await office.browser.get(at), at, { minutes: '15' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/checklists/choice': async (context) => {
    const { office, all } = context.sandbox
    const items = Array.from({ length: 30 }, (_, i) => [
      [`item.${i}.text`, `Gas ${i}`],
      [`item.${i}.kind`, 'check'],
    ]).flat() as [string, string][]
    await office.browser.post(office.at('settings', 'checklists'), {
      name: newId(),
      applies: 'chosen',
      words: '',
      ...Object.fromEntries(items),
    })
    const [template] = await all<{ id: string }>(sql`select id from checklist_templates order by id desc limit 1`)
    const at = office.at('jobs', String((await visit(context))['id']), 'checklists', 'choice')
    return requestBy(office.browser, at, { act: 'add', template: template!.id })
  },
  'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/time/new': async (context) => {
    const { office } = context.sandbox
    const at = office.at('jobs', String((await visit(context))['id']), 'time', 'new')
    const start = Temporal.PlainDateTime.from('2026-01-01T09:00').add({ hours: ++serial })
    return formBy(office.browser, await office.browser.get(at), at, {
      started_at: start.toString({ smallestUnit: 'minute' }),
      ended_at: start.add({ minutes: 30 }).toString({ smallestUnit: 'minute' }),
      reason: 'Forgot',
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/schedule/move/:job{[0-9a-f-]{36}}': async (context) => {
    const { office } = context.sandbox
    const at = office.at('schedule', 'move', String((await visit(context))['id']))
    const page = await office.browser.get(at)
    const action = /action="([^"]*\/schedule\/move\/[^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    return formBy(office.browser, page, action, { duration_minutes: '90' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/rates': async ({ sandbox: { office } }) => {
    const at = office.at('settings', 'rates')
    const { user_id: member } = await office.signInMember('office')
    return formBy(await office.signInAs(office.owner.email), await office.browser.get(at), at, {
      member,
      rate: '40.00',
    })
  },
  'POST /:tenant{[0-9a-f-]{36}}/catalog_items/new': async ({ sandbox: { office } }) => {
    const at = office.at('catalog_items', 'new')
    return formBy(office.browser, await office.browser.get(`${at}?kind=product`), at, {
      name: newId(),
      unit_price_cents: '1.00',
    })
  },
}

/** Creates an invoice with the maximum number of lines that can be paid at the provider. */
async function payable(context: StateContext): Promise<{ id: string; path: string }> {
  const { service, sandbox } = context
  await connectPaymentAccount(service.database, null, sandbox.office.id, 'acct_sandbox').catch(() => {})
  return largeDocument(context, 'invoices')
}

/** Has the worker make the company's archive, and returns its id. */
async function makeArchive({ service, sandbox: { office, all } }: StateContext): Promise<string> {
  const owner = await office.signInAs(office.owner.email)
  await owner.post(office.at('settings', 'data'), {})
  const { log } = captureLines()
  const tasks = configurableTasks(service.config, service.database).filter(({ name }) =>
    name.includes('company_export'),
  )
  const worker = {
    database: service.database,
    log,
    clock: () => Temporal.Now.instant(),
    stopping: new AbortController().signal,
  }
  await enrollAll(worker, tasks)
  await runDue(worker, tasks)
  const [made] = await all<{ id: string }>(sql`select id from company_exports order by id desc limit 1`)
  return made!.id
}
