import { answer, redirect } from '../../html/answer.ts'
import { button, linkButton } from '../../html/button.ts'
import { field } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import { wrongMethod } from '../../html/message.ts'
import { notice } from '../../html/notice.ts'
import { table } from '../../html/table.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { Refusal, invalidField } from '../../refusal.ts'
import { words } from '../../screens/formats.ts'
import { fold } from '../../shape/fold.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { noPage } from '../not_here.ts'
import type { Site } from '../site.ts'
import { readSheet } from './customer_rows.ts'
import {
  begin,
  contentOf,
  keepFile,
  look,
  problemsIn,
  readImport,
  readingOf,
  takeOver,
  type Import,
  type Reading,
} from './imports.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/customers/import'
/** Limits the form, its file included. */
const MAX_BYTES = 5 * 2 ** 20

/** Returns the pages that import customers from a file: choose it, preview it, import it whole. */
export const importRoutes = (site: Site): Pages =>
  newPages()
    .get(HERE, async (visit) => answer(choosing(await requireHand(site, visit))))
    .post((visit) => receive(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => show(site, visit))
    .post((visit) => start(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))

async function requireHand(site: Site, visit: Visit): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (!context.may('write:customers') || !context.may('read:customers')) throw noPage()
  return context
}

async function receive(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  try {
    const { file_name, content } = await fileIn(site, context, visit)
    const reading = await read(site, context, content)
    return redirect(
      context.path('customers', 'import', await keepFile(context, site.database, { file_name, content, reading })),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(choosing(context, error), { status: statusOf(error) })
  }
}

const read = async (site: Site, context: MemberContext, content: Buffer): Promise<Reading> =>
  look(site.actions.get('customers_create')!.tool, await readSheet(content, await tagsOf(context)))

async function fileIn(
  site: Site,
  context: MemberContext,
  { req }: Visit,
): Promise<{ file_name: string; content: Buffer }> {
  const sent = await site.uploads.receive(req.raw, MAX_BYTES, context.company.id)
  try {
    const file = sent.files.find(({ field, size }) => field === 'file' && size > 0)
    if (file === undefined) throw invalidField('file', 'is missing; choose one')
    if (/\p{Cc}/u.test(file.name)) throw invalidField('file', 'has a name with control characters; give it another')
    return {
      file_name: file.name.slice(0, 200).toWellFormed(),
      content: Buffer.from(await file.taken((content) => new Response(content).arrayBuffer())),
    }
  } finally {
    await sent.letGo()
  }
}

/** Returns the company's tags, by folded name. */
async function tagsOf(context: MemberContext): Promise<Map<string, string>> {
  const tags = new Map<string, string>()
  for (let page = 1, hasMore = true; hasMore; page++) {
    const found = await context.call('tags_list', { page, limit: 100 })
    for (const { id, name } of found.rows) tags.set(fold(name), id)
    hasMore = found.hasMore
  }
  return tags
}

async function show(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  const file = await readImport(context, site.database, visit.req.param('id') ?? '')
  return answer(await page(site, context, file))
}

/** Starts the import, which goes on after the answer; the page says how far it is. */
async function start(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  const id = visit.req.param('id') ?? ''
  const sheet = await readSheet(await context.read((db) => contentOf(db, id)), await tagsOf(context))
  if ((await problemsIn(site.actions.get('customers_create')!.tool, sheet.rows)).length === 0) {
    void takeOver(site, context, await begin(site, context, id), sheet.rows)
  }
  return redirect(context.path('customers', 'import', id))
}

const choosing = (context: MemberContext, refusal?: Refusal): Html =>
  frame(context, {
    title: 'Import customers',
    here: context.path('customers'),
    width: 'wide',
    body: html`
<section class="ticket">
  <h1>Import customers</h1>
  <p class="lead">A CSV file with a header. You see what would come of it first; nothing is saved until you say so.</p>${when(
    refusal,
    (refusal) => notice({ kind: 'error', title: "That file can't be used", body: refusal.message }),
  )}
  <form class="form" method="post" action="${context.path('customers', 'import')}" enctype="multipart/form-data">
    ${field({ name: 'file', label: 'File', type: 'file', accepts: '.csv,text/csv', isRequired: true, help: 'Up to 5,000 rows, 5 MiB' })}
    <p class="actions">${button({ label: 'Look at it', kind: 'main' })}${linkButton('Leave it', context.path('customers'), 'quiet')}</p>
  </form>
  <hr class="tear">
  <h2>Columns</h2>
  <p>First name, Last name or Name, Company, E-mail, Phone, Status, Tags, Address, City, State, Zip, Country, Lead source, Tax exempt, Terms, Language, External id. In any order; others are passed over. A row with a company makes a company, its person the first contact.</p>
</section>`,
  })

async function page(site: Site, context: MemberContext, file: Import): Promise<Html> {
  const isRunning = file.state === 'running' && !file.is_stuck
  const body = isRunning
    ? running(file)
    : file.state === 'done'
      ? over(context, file)
      : await preview(site, context, file)
  return frame(context, {
    title: 'Import customers',
    here: context.path('customers'),
    width: 'full',
    ...(isRunning ? { refreshes: 2 } : {}),
    body: html`<header class="page-head"><div><p class="eyebrow">Import customers</p><h1>${file.file_name}</h1></div></header>${body}`,
  })
}

const running = ({ done, total }: Import): Html => html`
<section class="part" aria-live="polite">
  <h2>Taking over ${counted(total)}</h2>
  <progress value="${done}" max="${total}" aria-label="Rows taken over">${done} of ${total}</progress>
  <p>${done} of ${total}. They are all there when it is done, and none before.</p>
</section>`

const over = (context: MemberContext, { total }: Import): Html => html`
${notice({ kind: 'good', title: `${counted(total)} taken over`, body: 'The whole file is here.' })}
<p class="actions">${linkButton('See the customers', context.path('customers'), 'main')}</p>`

async function preview(site: Site, context: MemberContext, { id, state, problem, is_stuck }: Import): Promise<Html> {
  const reading =
    (await context.read((db) => readingOf(db, id))) ??
    (await read(site, context, await context.read((db) => contentOf(db, id))))
  const { total, ignored, problems } = reading
  return html`${when(state === 'failed', () => notice({ kind: 'error', title: 'Nothing was taken over', body: problem ?? '' }))}${when(
    is_stuck,
    () =>
      notice({
        kind: 'error',
        title: 'Nothing was taken over',
        body: 'The service stopped in the middle. Start it again.',
      }),
  )}${when(ignored.length > 0, () => notice({ kind: 'info', title: 'Columns that are passed over', body: ignored.map((name) => name.slice(0, 100)).join(', ') }))}
${
  problems === 0
    ? html`
<form class="actions" method="post" action="${context.path('customers', 'import', id)}">${button({ label: `Take over ${counted(total)}`, kind: 'main' })}${linkButton('Another file', context.path('customers', 'import'))}</form>`
    : html`
${notice({ kind: 'error', title: `${problems} of ${total} rows can't be taken over`, body: 'Mend them in the file and choose it again. Nothing is saved until every row is right.' })}
${table<{ number: number; says: string }>({
  caption: 'Rows to mend',
  rows: reading.first,
  empty: '',
  columns: [
    { label: 'Row', cell: ({ number }) => String(number), isNumber: true },
    { label: 'What is wrong', cell: ({ says }) => says },
  ],
})}
<p class="actions">${linkButton('Choose the file again', context.path('customers', 'import'), 'main')}</p>`
}
${rowsHtml(reading)}`
}

const rowsHtml = ({ total, shown }: Reading): Html =>
  table<Reading['shown'][number]>({
    caption: total > shown.length ? `The first ${shown.length} of ${total}` : 'What would be made',
    rows: shown,
    empty: '',
    columns: [
      { label: 'Row', cell: ({ number }) => String(number), isNumber: true },
      {
        label: 'Name',
        cell: ({ given }) =>
          text(given['company_name']) || [given['first_name'], given['last_name']].map(text).filter(Boolean).join(' '),
      },
      { label: 'Type', cell: ({ given }) => words(text(given['customer_type'])) },
      {
        label: 'Reached at',
        cell: ({ given }) => {
          const person = (given['contacts'] as Record<string, unknown>[] | undefined)?.[0] ?? given
          return [person['phone'], person['email']].map(text).filter(Boolean).join(', ')
        },
      },
      {
        label: 'Address',
        cell: ({ given }) =>
          Object.values((given['locations'] as Record<string, unknown>[] | undefined)?.[0] ?? {})
            .map(text)
            .join(', '),
      },
    ],
  })

const counted = (customers: number): string =>
  customers === 1 ? '1 customer' : `${customers.toLocaleString('en-US')} customers`

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
