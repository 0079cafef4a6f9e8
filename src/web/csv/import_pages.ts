import { button, linkButton } from '../../html/button.ts'
import { field } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { radioGroup } from '../../html/radio_group.ts'
import { sayHtml } from '../../html/say_html.ts'
import { table } from '../../html/table.ts'
import { say, sayCount } from '../../language/say.ts'
import type { Refusal } from '../../refusal.ts'
import { words } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part } from '../../screens/parts.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import type { ImportRow } from './customer_rows.ts'
import { findingsOf, type Findings, type Import, type ImportOutcome, type RowProblem, type Twin } from './imports.ts'

/** Limits the rows that one list shows. */
const MAX_LISTED = 100

/** Draws the page on which a file is chosen. */
export const choosing = (context: MemberContext, refusal?: Refusal): Html =>
  frame(context, {
    title: say`Import customers`,
    here: context.path('customers'),
    width: 'wide',
    body: html`
<section class="ticket">
  <h1>${say`Import customers`}</h1>
  <p class="lead">${say`A CSV file with a header row. You see what is in it first; nothing is saved until you say so.`}</p>${when(
    refusal,
    (refusal) => notice({ kind: 'error', title: say`That file can't be used`, body: refusal.message }),
  )}
  <form class="form" method="post" action="${context.path('customers', 'import')}" enctype="multipart/form-data">
    ${field({ name: 'file', label: say`File`, type: 'file', accepts: '.csv,text/csv', isRequired: true, help: say`Up to 5,000 rows, 5 MB` })}
    <p class="actions">${button({ label: say`Continue`, kind: 'main' })}${linkButton(say`Cancel`, context.path('customers'), 'quiet')}${when(context.visitor.role !== 'tech', () => linkButton(say`From another product`, context.path('settings', 'import'), 'quiet'))}</p>
  </form>
  <hr class="tear">
  <h2>${say`Columns`}</h2>
  <p>${say`First name, Last name or Name, Company, E-mail, Phone, Status, Tags, Address, City, State, Zip, Country, Source, Tax exempt, Terms, Language, External id. In any order; others are ignored. A row with a company makes a company, and its person the first contact.`}</p>
</section>`,
  })

/** Draws how far an import is, and what can be done about it. */
export async function importPage(context: MemberContext, file: Import): Promise<Html> {
  const isUnderWay = (file.state === 'checking' || file.state === 'running') && !file.is_stuck
  const body = isUnderWay
    ? underWay(file)
    : file.state === 'done' && file.outcome !== null
      ? over(context, file, file.outcome)
      : preview(context, file, await context.read((db) => findingsOf(db, file.id)))
  return frame(context, {
    title: say`Import customers`,
    here: context.path('customers'),
    width: 'full',
    styles: ['areas.css'],
    ...(isUnderWay ? { refreshes: 2 } : {}),
    body: html`<header class="page-head"><div><p class="eyebrow">${say`Import customers`}</p><h1>${file.file_name}</h1></div></header>${body}`,
  })
}

const underWay = ({ state, done, total }: Import): Html => html`
<section class="part" aria-live="polite">
  <h2>${state === 'checking' ? sayCount(total, 'Checking one row', 'Checking {0} rows') : sayCount(total, 'Importing one row', 'Importing {0} rows')}</h2>
  <progress value="${done}" max="${total}" aria-label="${say`Rows done`}">${done} / ${total}</progress>
  <p>${state === 'checking' ? say`Nothing is saved yet.` : say`You see them all when it is done, and none before.`}</p>
</section>`

const over = (context: MemberContext, file: Import, { made, updated, skipped, left }: ImportOutcome): Html => html`
${notice({
  kind: made + updated > 0 ? 'good' : 'info',
  title: sayCount(made, 'One customer imported', '{0} customers imported'),
  body: [
    ...(updated > 0 ? [sayCount(updated, 'One was updated.', '{0} were updated.')] : []),
    ...(skipped > 0 ? [sayCount(skipped, 'One was here already.', '{0} were here already.')] : []),
    ...(left.length > 0 ? [sayCount(left.length, 'One row was left out.', '{0} rows were left out.')] : []),
  ].join(' '),
})}
<p class="actions">${linkButton(say`See the customers`, context.path('customers'), 'main')}${when(left.length > 0, () => restLink(context, file, left.length))}</p>
${when(left.length > 0, () => problemsHtml(left))}`

const preview = (context: MemberContext, file: Import, findings: Findings | null): Html =>
  html`${stopped(file)}${
    findings === null
      ? html`
<form class="actions" method="post" action="${context.path('customers', 'import', file.id)}">${button({ label: say`Check the file`, kind: 'main' })}${otherFile(context)}</form>`
      : found(context, file, findings)
  }`

const stopped = ({ state, problem, is_stuck }: Import): Html | '' =>
  state !== 'failed' && !is_stuck
    ? ''
    : notice({
        kind: 'error',
        title: say`Nothing was imported`,
        body: problem ?? say`The service stopped in the middle. Start it again.`,
      })

function found(context: MemberContext, file: Import, findings: Findings): Html {
  const { total, ignored, newTags, problems, twins } = findings
  const right = total - problems.length
  return html`
${when(ignored.length > 0, () => notice({ kind: 'info', title: say`Columns that are ignored`, body: ignored.map((name) => name.slice(0, 100)).join(', ') }))}
${when(newTags.length > 0, () => notice({ kind: 'info', title: say`New tags`, body: newTags.map((name) => name.slice(0, 100)).join(', ') }))}
${when(problems.length > 0, () =>
  notice({
    kind: 'warning',
    title: sayCount(problems.length, 'One row needs fixing', '{0} rows need fixing'),
    body: say`Import the others now, and these once they are fixed.`,
  }),
)}
${
  right === 0
    ? html`<p class="actions">${restLink(context, file, problems.length)}${otherFile(context)}</p>`
    : html`
<form class="form" method="post" action="${context.path('customers', 'import', file.id)}">${when(twins.length > 0, () =>
        radioGroup({
          name: 'existing',
          label: sayCount(
            twins.length,
            'One row is a customer you already have',
            '{0} rows are customers you already have',
          ),
          help: say`An update changes names, status, terms, language and source; people, addresses and tags stay.`,
          choices: [
            { value: 'skip', label: say`Skip` },
            { value: 'update', label: say`Update` },
            { value: 'create', label: say`Create anyway` },
          ],
          chosen: 'skip',
        }),
      )}
  <p class="actions">${button({ label: sayCount(right, 'Import one row', 'Import {0} rows'), kind: 'main' })}${when(problems.length > 0, () => restLink(context, file, problems.length))}${otherFile(context)}</p>
</form>`
}
${when(problems.length > 0, () => problemsHtml(problems))}
${when(twins.length > 0, () => twinsHtml(context, twins))}
${rowsHtml(findings)}`
}

const restLink = (context: MemberContext, { id }: Import, count: number): Html =>
  linkButton(
    sayCount(count, 'Download the one with its reason', 'Download the {0} with reasons'),
    context.path('customers', 'import', id, 'to-fix.csv'),
  )

const otherFile = (context: MemberContext): Html =>
  linkButton(say`Choose another file`, context.path('customers', 'import'), 'quiet')

const problemsHtml = (problems: readonly RowProblem[]): Html =>
  part(
    say`Rows to fix`,
    table<RowProblem>({
      caption: say`Rows to fix`,
      isCaptionHidden: true,
      rows: problems.slice(0, MAX_LISTED),
      empty: '',
      columns: [
        { label: say`Row`, cell: ({ number }) => String(number), isNumber: true },
        { label: say`Problem`, cell: ({ reason }) => reason },
      ],
    }),
  )

const twinsHtml = (context: MemberContext, twins: readonly Twin[]): Html =>
  part(
    say`Already here`,
    table<Twin>({
      caption: say`Already here`,
      isCaptionHidden: true,
      rows: twins.slice(0, MAX_LISTED),
      empty: '',
      columns: [
        { label: say`Row`, cell: ({ number }) => String(number), isNumber: true },
        {
          label: say`Customer`,
          cell: (twin) =>
            'id' in twin ? recordLink(context, 'customers', twin.id, twin.name) : sayHtml`Same as row ${twin.row}`,
        },
      ],
    }),
  )

const rowsHtml = ({ total, shown }: Findings): Html =>
  part(
    total > shown.length ? say`The first ${shown.length} of ${total} rows` : say`In the file`,
    table<ImportRow>({
      caption: say`In the file`,
      isCaptionHidden: true,
      rows: shown,
      empty: '',
      columns: [
        { label: say`Row`, cell: ({ number }) => String(number), isNumber: true },
        { label: say`Name`, cell: ({ given }) => nameOf(given) },
        { label: say`Type`, cell: ({ given }) => words(text(given['customer_type'])) },
        { label: say`Phone and e-mail`, cell: ({ given }) => reachOf(given) },
        { label: say`Address`, cell: ({ given }) => addressOf(given) },
      ],
    }),
  )

type Given = ImportRow['given']

const nameOf = (given: Given): string =>
  text(given['company_name']) || [given['first_name'], given['last_name']].map(text).filter(Boolean).join(' ')

function reachOf(given: Given): string {
  const person = (given['contacts'] as Given[] | undefined)?.[0] ?? given
  return [person['phone'], person['email']].map(text).filter(Boolean).join(', ')
}

const addressOf = (given: Given): string =>
  Object.values((given['locations'] as Given[] | undefined)?.[0] ?? {})
    .map(text)
    .join(', ')

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
