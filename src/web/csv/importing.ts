import { HTTPException } from 'hono/http-exception'
import { answer, redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { field } from '../../html/field.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { wrongMethod } from '../../html/message.ts'
import { notice } from '../../html/notice.ts'
import { table } from '../../html/table.ts'
import { newPages } from '../../html/visit.ts'
import type { Pages, Visit } from '../../html/visit.ts'
import { Refusal, invalid } from '../../refusal.ts'
import { words } from '../../screens/formats.ts'
import { fold } from '../../shape/fold.ts'
import { requireDesk } from '../desk.ts'
import type { Workdesk } from '../desk.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notHere } from '../not_here.ts'
import type { Site } from '../site.ts'
import { readSheet } from './customer_rows.ts'
import { begin, contentOf, keepFile, look, problemsIn, readImport, readingOf, takeOver } from './imports.ts'
import type { Import, Reading } from './imports.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/customers/import'
/** Of the form, its file included. */
const MOST_BYTES = 5 * 2 ** 20

/** Customers from a file: choose it, look at what would come of it, take it over whole. */
export const importRoutes = (site: Site): Pages => newPages()
  .get(HERE, async (visit) => answer(choosing(await requireHand(site, visit)))).post((visit) => receive(site, visit)).all(wrongMethod('GET, HEAD, POST'))
  .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => show(site, visit)).post((visit) => start(site, visit)).all(wrongMethod('GET, HEAD, POST'))

async function requireHand(site: Site, visit: Visit): Promise<Workdesk> {
  const desk = await requireDesk(site, visit)
  if (!desk.may('write:customers') || !desk.may('read:customers')) throw new HTTPException(404, { res: notHere() })
  return desk
}

async function receive(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireHand(site, visit)
  try {
    const { file_name, content } = await fileIn(site, desk, visit)
    const reading = await read(site, desk, content)
    return redirect(desk.path('customers', 'import', await keepFile(desk, site.database, { file_name, content, reading })))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(choosing(desk, error), { status: statusOf(error) })
  }
}

const read = async (site: Site, desk: Workdesk, content: Buffer): Promise<Reading> =>
  look(site.doings.get('customers_create')!.tool, await readSheet(content, await tagsOf(desk)))

async function fileIn(site: Site, desk: Workdesk, { req }: Visit): Promise<{ file_name: string; content: Buffer }> {
  const sent = await site.uploads.receive(req.raw, MOST_BYTES, desk.company.id)
  try {
    const file = sent.files.find(({ field, size }) => field === 'file' && size > 0)
    if (file === undefined) throw invalid('file is missing; choose one')
    if (/\p{Cc}/u.test(file.name)) throw invalid('file has a name with control characters; give it another')
    return { file_name: file.name.slice(0, 200).toWellFormed(), content: Buffer.from(await file.taken((content) => new Response(content).arrayBuffer())) }
  } finally {
    await sent.letGo()
  }
}

/** The company's tags, by folded name. */
async function tagsOf(desk: Workdesk): Promise<Map<string, string>> {
  const tags = new Map<string, string>()
  for (let page = 1, hasMore = true; hasMore; page++) {
    const found = await desk.call<{ rows: { id: string; name: string }[]; hasMore: boolean }>('tags_list', { page, limit: 100 })
    for (const { id, name } of found.rows) tags.set(fold(name), id)
    hasMore = found.hasMore
  }
  return tags
}

async function show(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireHand(site, visit)
  const file = await readImport(desk, site.database, visit.req.param('id') ?? '')
  return answer(await page(site, desk, file))
}

/** The work goes on after the answer; the page says how far it is. */
async function start(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireHand(site, visit)
  const id = visit.req.param('id') ?? ''
  const sheet = await readSheet(await desk.read((db) => contentOf(db, id)), await tagsOf(desk))
  if ((await problemsIn(site.doings.get('customers_create')!.tool, sheet.rows)).length === 0) {
    void takeOver(site, desk, await begin(site, desk, id), sheet.rows)
  }
  return redirect(desk.path('customers', 'import', id))
}

const choosing = (desk: Workdesk, refusal?: Refusal): Html => frame(desk, {
  title: 'Import customers', here: desk.path('customers'), width: 'wide',
  body: html`
<section class="ticket">
  <h1>Import customers</h1>
  <p class="lead">A CSV file with a header. You see what would come of it first; nothing is saved until you say so.</p>${refusal === undefined ? '' : notice({
    kind: 'error', title: 'That file can\'t be used', says: refusal.message,
  })}
  <form class="form" method="post" action="${desk.path('customers', 'import')}" enctype="multipart/form-data">
    ${field({ name: 'file', label: 'File', type: 'file', accepts: '.csv,text/csv', isRequired: true, help: 'Up to 5,000 rows, 5 MiB' })}
    <p class="actions">${button({ label: 'Look at it', kind: 'main' })}${linkButton('Leave it', desk.path('customers'), 'quiet')}</p>
  </form>
  <hr class="tear">
  <h2>Columns</h2>
  <p>First name, Last name or Name, Company, E-mail, Phone, Status, Tags, Address, City, State, Zip, Country, Lead source, Tax exempt, Terms, Language, External id. In any order; others are passed over. A row with a company makes a company, its person the first contact.</p>
</section>`,
})

async function page(site: Site, desk: Workdesk, file: Import): Promise<Html> {
  const isRunning = file.state === 'running' && !file.is_stuck
  const body = isRunning ? running(file) : file.state === 'done' ? over(desk, file) : await preview(site, desk, file)
  return frame(desk, {
    title: 'Import customers', here: desk.path('customers'), width: 'full', ...(isRunning ? { refreshes: 2 } : {}),
    body: html`<header class="page-head"><div><p class="eyebrow">Import customers</p><h1>${file.file_name}</h1></div></header>${body}`,
  })
}

const running = ({ done, total }: Import): Html => html`
<section class="part" aria-live="polite">
  <h2>Taking over ${counted(total)}</h2>
  <progress value="${done}" max="${total}" aria-label="Rows taken over">${done} of ${total}</progress>
  <p>${done} of ${total}. They are all there when it is done, and none before.</p>
</section>`

const over = (desk: Workdesk, { total }: Import): Html => html`
${notice({ kind: 'good', title: `${counted(total)} taken over`, says: 'The whole file is here.' })}
<p class="actions">${linkButton('See the customers', desk.path('customers'), 'main')}</p>`

async function preview(site: Site, desk: Workdesk, { id, state, problem, is_stuck }: Import): Promise<Html> {
  const reading = await desk.read((db) => readingOf(db, id)) ?? await read(site, desk, await desk.read((db) => contentOf(db, id)))
  const { total, ignored, problems } = reading
  return html`${state === 'failed' ? notice({ kind: 'error', title: 'Nothing was taken over', says: problem ?? '' }) : ''}${is_stuck ? notice({
    kind: 'error', title: 'Nothing was taken over', says: 'The service stopped in the middle. Start it again.',
  }) : ''}${ignored.length === 0 ? '' : notice({ kind: 'info', title: 'Columns that are passed over', says: ignored.map((name) => name.slice(0, 100)).join(', ') })}
${problems === 0 ? html`
<form class="actions" method="post" action="${desk.path('customers', 'import', id)}">${button({ label: `Take over ${counted(total)}`, kind: 'main' })}${linkButton('Another file', desk.path('customers', 'import'))}</form>` : html`
${notice({ kind: 'error', title: `${problems} of ${total} rows can't be taken over`, says: 'Mend them in the file and choose it again. Nothing is saved until every row is right.' })}
${table<{ number: number; says: string }>({
    caption: 'Rows to mend', rows: reading.first, empty: '',
    columns: [{ label: 'Row', cell: ({ number }) => String(number), isNumber: true }, { label: 'What is wrong', cell: ({ says }) => says }],
  })}
<p class="actions">${linkButton('Choose the file again', desk.path('customers', 'import'), 'main')}</p>`}
${rowsHtml(reading)}`
}

const rowsHtml = ({ total, shown }: Reading): Html => table<Reading['shown'][number]>({
  caption: total > shown.length ? `The first ${shown.length} of ${total}` : 'What would be made', rows: shown, empty: '',
  columns: [
    { label: 'Row', cell: ({ number }) => String(number), isNumber: true },
    { label: 'Name', cell: ({ given }) => text(given['company_name']) || [given['first_name'], given['last_name']].map(text).filter(Boolean).join(' ') },
    { label: 'Type', cell: ({ given }) => words(text(given['customer_type'])) },
    { label: 'Reached at', cell: ({ given }) => { const person = (given['contacts'] as Record<string, unknown>[] | undefined)?.[0] ?? given; return [person['phone'], person['email']].map(text).filter(Boolean).join(', ') } },
    { label: 'Address', cell: ({ given }) => Object.values((given['locations'] as Record<string, unknown>[] | undefined)?.[0] ?? {}).map(text).join(', ') },
  ],
})

const counted = (customers: number): string => (customers === 1 ? '1 customer' : `${customers.toLocaleString('en-US')} customers`)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
