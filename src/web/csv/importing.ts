import { setTimeout } from 'node:timers/promises'
import { PROBLEM, cellsOf } from '../../coming/reading.ts'
import { answer, redirect } from '../../html/answer.ts'
import { formOf } from '../../html/form.ts'
import { wrongMethod } from '../../html/message.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { Refusal, invalidField } from '../../refusal.ts'
import { fold } from '../../shape/fold.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { noPage } from '../not_here.ts'
import { sendSheet } from '../sheet.ts'
import type { Site } from '../site.ts'
import { checkFile, importFile, newTagsOf } from './customer_import.ts'
import { readSheet } from './customer_rows.ts'
import { choosing, importPage } from './import_pages.ts'
import { FOR_TWINS, begin, contentOf, findingsOf, keepFile, readImport } from './imports.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/customers/import'
/** Limits the form, its file included. */
const MAX_BYTES = 5 * 2 ** 20

/** Limits the tags that one file makes. */
const MAX_NEW_TAGS = 50

const PATIENCE_MS = 1_500

/** Returns the pages that import customers from a file: choose it, see what is right, import that, fix the rest. */
export const importRoutes = (site: Site): Pages =>
  newPages()
    .get(HERE, async (visit) => answer(choosing(await requireHand(site, visit))))
    .post((visit) => receive(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => show(site, visit))
    .post((visit) => start(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}/to-fix.csv`, (visit) => sendRest(site, visit))
    .all(wrongMethod('GET, HEAD'))

async function requireHand(site: Site, visit: Visit): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (!context.may('write:customers') || !context.may('read:customers')) throw noPage()
  return context
}

async function receive(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  try {
    const { file_name, content } = await fileIn(site, context, visit)
    const sheet = await readSheet(content, await tagsOf(context))
    requireFewTags(newTagsOf(sheet.rows))
    const id = await keepFile(context, site.database, { file_name, content, total: sheet.rows.length })
    await briefly(checkFile(site, context, await begin(site, context, id, 'checking'), sheet))
    return redirect(context.path('customers', 'import', id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(choosing(context, error), { status: statusOf(error) })
  }
}

function requireFewTags({ length }: readonly string[]): void {
  if (length > MAX_NEW_TAGS)
    throw invalidField('file', `must name at most ${MAX_NEW_TAGS} tags that you don't have yet (got ${length})`)
}

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
  return answer(await importPage(context, await readImport(context, site.database, visit.req.param('id') ?? '')))
}

/** Checks a file again that was given up, or starts the import, which goes on after the answer. */
async function start(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  const id = visit.req.param('id') ?? ''
  const chosen = (await formOf(visit.req.raw)).get('existing') ?? 'skip'
  const forTwins = FOR_TWINS.find((one) => one === chosen)
  if (forTwins === undefined) throw invalidField('existing', `must be one of ${FOR_TWINS.join(', ')}`)
  const findings = await context.read((db) => findingsOf(db, id))
  const sheet = await readSheet(await context.read((db) => contentOf(db, id)), await tagsOf(context))
  const run = await begin(site, context, id, findings === null ? 'checking' : 'running')
  await briefly(
    findings === null
      ? checkFile(site, context, run, sheet)
      : importFile(site, context, run, sheet, findings, forTwins),
  )
  return redirect(context.path('customers', 'import', id))
}

/** Waits for work that is mostly short, and no longer than a person does without a word; it goes on by itself. */
const briefly = (work: Promise<void>): Promise<void> => Promise.race([work, setTimeout(PATIENCE_MS)])

/** Sends the rows that were left out, as they stand in the file, each with the reason. */
async function sendRest(site: Site, visit: Visit): Promise<Response> {
  const context = await requireHand(site, visit)
  const id = visit.req.param('id') ?? ''
  const { file_name, outcome } = await readImport(context, site.database, id)
  const findings = await context.read((db) => findingsOf(db, id))
  const left = new Map((outcome?.left ?? findings?.problems ?? []).map(({ number, reason }) => [number, reason]))
  const content = (): Promise<Buffer> => context.read((db) => contentOf(db, id))
  return sendSheet(site, visit, { name: fileName(file_name), rows: rowsOf(content, left) })
}

async function* rowsOf(read: () => Promise<Buffer>, left: ReadonlyMap<number, string>): AsyncGenerator<string[], void> {
  const content = await read()
  for await (const { number, cells } of cellsOf(content, new Set(left.keys())))
    yield number === 1 ? [PROBLEM, ...cells] : [left.get(number)!, ...cells]
}

/** Returns `customers to fix.csv` for `customers.csv`, in letters that a header may have. */
const fileName = (name: string): string =>
  `${name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w .-]+/g, '_')
    .slice(0, 100)} to fix.csv`
