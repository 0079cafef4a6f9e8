import { entryOf } from '../../identity/credentials/caller.ts'
import { writeTenant } from '../../platform/db/tenant.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { eraseCustomerAsOwner, readKeepUntil } from '../../privacy/erase/confirm.ts'
import { countCustomerRecords, type ErasureCounts } from '../../privacy/erase/erase_customer.ts'
import { findErasureSubject } from '../../privacy/erase/subject.ts'
import { writeErasureList } from '../../privacy/tombstones.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { catchRefusal, requireOwner, requireRecentOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import type { openArchiveSender } from './archive_download.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Shows an owner the data of a customer, archived or not: its download, and what erasure would do. */
export async function showCustomerData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return page(context, request.req.param('id')!)
}

/** Sends an owner all data of a customer as one file. */
export async function sendCustomerData(
  site: Site,
  request: PageRequest,
  sendArchive: ReturnType<typeof openArchiveSender>,
): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const subject = request.req.param('id')!
  return catchRefusal(
    () =>
      sendArchive(context, {
        kind: 'customer',
        subject,
        isOwners: true,
        scope: async (db) => ({ of: 'customer', subject: await findErasureSubject(db, subject) }),
      }),
    (refusal) => page(context, subject, { refusal }),
  )
}

/** Erases a customer, whose name must be typed to confirm. */
export async function eraseCustomerData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const [id, form] = [request.req.param('id')!, await readFormFields(request.req.raw)]
  return catchRefusal(
    async () => {
      const keepUntil = readKeepUntil(form.get('keep_until') ?? '', todayIn(context.company.timezone))
      await context.withCaller((caller) =>
        writeTenant(site.database, { ...entryOf(caller), options: { patient: true } }, (db) =>
          eraseCustomerAsOwner(db, id, { by: { user: context.user.id }, name: form.get('name') ?? '', keepUntil }),
        ),
      )
      await writeErasureList(site.database, site.storage, context.company.id).catch((error: unknown) =>
        site.report(id, error),
      )
      return redirectWithMessage(context.path('settings', 'data'), {
        sentence: say`The customer was erased. Their files will be deleted from storage in a moment.`,
      })
    },
    (refusal) => page(context, id, { refusal, form }),
  )
}

type PageState = { refusal?: Refusal; form?: URLSearchParams }

async function page(context: MemberContext, id: string, { refusal, form }: PageState = {}): Promise<Response> {
  const { name, counts } = await context.read(async (db) => {
    const subject = await findErasureSubject(db, id)
    return { name: subject.name, counts: countCustomerRecords(subject) }
  })
  const here = context.path('customers', id, 'data')
  return pageResponse(
    frame(context, {
      title: say`Data about ${name}`,
      here: context.path('customers'),
      width: 'wide',
      body: html`
<header class="page-head"><div><p class="eyebrow">${name}</p><h1>${say`Customer data`}</h1></div></header>
${when(refusal, refusalNotice)}
${part(
  say`Download a copy`,
  html`
  <p class="help">${say`All of their data in one ZIP file: records as CSV and JSON, messages, photos and files.`}</p>
  <form method="post" action="${here}"><p class="actions">${button({ label: say`Download` })}</p></form>`,
)}
${part(
  say`Erase this person`,
  html`
  <p class="lead">
    ${say`Use this when someone asks to be forgotten. It can't be undone, and a restored backup erases them again.`}
  </p>
  ${table<ErasureEffect>({
    caption: say`What happens`,
    isCaptionHidden: true,
    rows: listErasureEffects(counts),
    empty: '',
    columns: [
      { label: say`What`, cell: ({ what }) => what },
      { label: say`How many`, cell: ({ count }) => count, isNumber: true },
      { label: say`What happens`, cell: ({ outcome }) => outcome },
    ],
  })}
  <p class="help">${say`What you wrote about them in other customers' records is kept. Look for it first.`}</p>
  ${eraseForm(context, id, name, form)}`,
)}`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )
}

type ErasureEffect = { what: string; count: string; outcome: Html | string }

/** Lists the number of records of each kind, and what erasure does to them. */
const listErasureEffects = (counts: ErasureCounts): ErasureEffect[] =>
  (
    [
      [say`Contacts and addresses`, counts['contacts']! + counts['locations']!, say`Erased`],
      [say`Notes`, counts['notes']!, say`Erased`],
      [
        say`Messages and their files`,
        counts['messages']!,
        say`Erased. An address that opted out is kept in unreadable form, so that nothing is sent there.`,
      ],
      [
        say`Jobs and recurring jobs`,
        counts['jobs']! + counts['job_series']!,
        say`Numbers, times and crews are kept. Texts, lines, photos and files are erased. Open ones are canceled.`,
      ],
      [
        say`Quotes`,
        counts['quotes']!,
        say`Numbers, dates and amounts are kept, and the lines of accepted ones. Open ones are archived.`,
      ],
      [say`Plans`, counts['plans']!, say`Canceled, and their texts erased.`],
      [
        say`Invoices and payments`,
        counts['invoices']!,
        say`Numbers, dates, lines, taxes and amounts are kept, as the law requires. Name, address and texts are erased. Drafts are voided.`,
      ],
      [say`Customer links and signatures`, counts['links']!, say`Erased`],
    ] as const
  ).map(([what, count, outcome]) => ({ what, count: String(count), outcome }))

const eraseForm = (context: MemberContext, id: string, name: string, form?: URLSearchParams): Html => html`
  <form class="form" method="post" action="${context.path('customers', id, 'data')}/erase">
    ${field({
      name: 'keep_until',
      label: say`Keep name and address on issued invoices until`,
      type: 'date',
      value: form?.get('keep_until') ?? '',
      help: say`Only where the law requires it. Leave empty to erase them now.`,
    })}
    ${field({
      name: 'name',
      label: say`Type the customer's name to confirm`,
      isRequired: true,
      help: name,
      value: form?.get('name') ?? '',
    })}
    <p class="actions">
      ${button({ label: say`Erase for good`, kind: 'danger' })}
      ${linkButton(say`Cancel`, context.path('customers', id), 'quiet')}
    </p>
  </form>`
