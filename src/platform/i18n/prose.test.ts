import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { proseIn } from '../../../scripts/prose.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Folders with texts for people: pages, mail, documents and the phone app. */
const ROOMS = [
  'src/{customer_portal,files,messaging,mobile,payments,pdf,privacy,records,scheduling,undo,web}/**/*.ts',
  'src/identity/{apps,companies,factors,people,providers,security,sign_in}/**/*.ts',
  'src/identity/oauth/consent/**/*.ts',
  'src/platform/{html,http}/**/*.ts',
  'public/**/*.js',
]

/** Files whose texts have a single language by design. */
const OTHERS: readonly RegExp[] = [
  /\.(?:test|fake)\.ts$/,
  // For agents and developers.
  /\/(?:tools|examples)\.ts$/,
  /^src\/web\/docs\//,
  /^public\/cards\//,
  // One file per language.
  /\/default_texts\//,
  // Formats of other programs, and tables of names.
  /^src\/web\/accounting\/files\/(?:ledger_files|quickbooks|xero)\.ts$/,
  /^src\/privacy\/(?:erase\/retention_rules|export\/(?:\w+_)?collections|export\/of_\w+)\.ts$/,
  // Responses to a script that shows its own text.
  /^src\/web\/sign_in\/passkeys\.ts$/,
]

/** Remaining texts, with the reason why no one reads them in another language. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'a selector': [
    'public/drafts.js: textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit])',
    'public/drafts.js: form .actions a',
    'public/records/in_place.js: input:not([type=hidden]), select, textarea',
    'public/schedule/schedule_day.js: .visit, a',
    'public/schedule/schedule_week.js: .visit, a',
  ],
  'a header or a command of a protocol': [
    'src/files/download.ts: private, no-store',
    'src/files/fetching.ts: Basic {}',
    'src/messaging/outbox/senders/sms_api.ts: Basic {}',
    'src/messaging/outbox/senders/smtp.ts: MAIL FROM',
    'src/payments/payments_api.ts: Bearer {}',
    'src/payments/payments_api.ts: The provider answered {}',
    'src/web/messaging/inbox/reply_form.ts: Re: {}',
    'src/web/calendar/feed.ts: private, no-cache',
    'src/web/mobile/day.ts: private, no-cache',
    'src/web/records/media.ts: private, no-cache',
  ],
  'a name, a table of codes, or a stored name that has its text for people': [
    'src/files/screening/content_types.ts: PowerPoint Document',
    'src/identity/security/device.ts: Mac OS X',
    'src/identity/security/device.ts: {} on {}',
    'src/identity/security/device.ts: Samsung Internet',
    'src/payments/saved/method_text.ts: American Express',
    'src/payments/saved/method_text.ts: Diners Club',
    'src/pdf/read_document.ts: US CA MX PR GU VI AS MP UM PH CL CO CR DO GT HN NI PA SV VE BZ',
  ],
  'a key of a limit': [
    'src/web/booking/book_chosen.ts: booking by {}',
    'src/web/booking/code.ts: booking code to {}',
    'src/web/booking/code.ts: booking codes of {}',
    'src/web/booking/times.ts: booking holds of {}',
    'src/identity/factors/second_factor.ts: at {}',
    'src/identity/factors/second_factor.ts: from {}',
    'src/identity/sign_in/sign_in.ts: at {}',
    'src/identity/sign_in/sign_in.ts: from {}',
    'src/identity/sign_in/sign_in.ts: sign-in account {}',
    'src/identity/sign_in/sign_in.ts: sign-in account {} {}',
    'src/identity/sign_in/sign_in.ts: sign-in address {}',
  ],
  'kept in the record in place of a name': [
    'src/customer_portal/booking/book.ts: Online booking',
    'src/privacy/erase/erase_member.ts: Former member',
    'src/records/customers/fields.ts: Erased customer',
  ],
  'of the command line': [
    'src/pdf/drawing/pdf_document.ts: , or has no font named {}',
    "src/pdf/drawing/pdf_document.ts: it isn't a TrueType or OpenType font{}",
    'src/identity/people/operators.ts: the account of {} was created or reset through a link that someone else may have used, and the person',
    "src/identity/people/operators.ts: hasn't claimed it; give it a password first: callout member password --user {}",
    'src/identity/people/operators.ts: {} is already an operator',
    "src/payments/accounts.ts: must be the payments provider's id of an account (got '{}')",
    'src/payments/accounts.ts: this account belongs to another company; disconnect it there first',
    "src/privacy/tombstones.ts: line {} of {} isn't an erasure",
    'src/privacy/tombstones.ts: the list in storage',
  ],
  'a value that only the words for agents contain': [
    'src/messaging/inbox/quarantine/quarantine_review.ts: its recipient',
    'src/mobile/checklists/answering.ts: , and {} more',
    'src/mobile/checklists/answering.ts: item of the checklist',
    'src/mobile/events/kinds/photo.ts: must be a SHA-256 in 64 hexadecimal digits',
    'src/payments/events/parked_review.ts: in {} mode',
    'src/payments/events/parked_review.ts: no currency',
    'src/records/invoices/accounting/grouped.ts: invoices.list by technician',
    'src/records/invoices/accounting/grouped.ts: not in the catalog',
    'src/records/invoices/overview/recent.ts: {}, for {}, due {}',
    'src/records/jobs/overview/row_parts.ts: jobs.list with access',
    'src/records/jobs/visits/recent.ts: for {}',
    'src/records/jobs/visits/visit_warnings.ts: {} to {}',
    'src/records/jobs/visits/visit_warnings.ts: {} {} to {}',
    'src/scheduling/hours.ts: to {}',
    'src/records/catalog_items/kinds.ts: must be above 0',
    'src/records/contacts/fields.ts: No SMS',
    'src/records/contacts/fields.ts: No email',
    "src/records/jobs/fields.ts: can't be set to cancelled by an update; use jobs_cancel",
    'src/records/tax_rates/fields.ts: Sales tax',
    'src/records/jobs/visits/crew.ts: ; use the user id, exact email or exact name of a member, such as {}',
    'src/records/quotes/overview/recent.ts: {}, for {}, valid until {}',
  ],
  'an answer to a program, which no page shows': [
    'src/identity/oauth/consent/fault_page.ts: This app is no longer registered here. Remove the connector in the app and add it again.',
    'src/web/calendar/feed.ts: Use GET to read a calendar',
    "src/web/calendar/feed.ts: A company's API key has no visits of its own",
    'src/web/calendar/feed.ts: The API key of this calendar needs read:jobs',
    'src/web/follow_page.ts: Too many pages are being followed',
    'src/web/guards.ts: This service does not accept the Host or Origin of this request',
    'src/web/mobile/routes.ts: This address accepts {}',
    'src/web/pages.ts: There is nothing at this address',
    'src/web/schedule/events.ts: Too many schedules are open',
    'src/web/schedule/map/streets.ts: There is no map tile for this location',
    "src/web/schedule/map/streets.ts: The archive of map tiles can't be read. Reference: {}",
    'src/web/schedule/map/streets.ts: There is nothing at this address',
    'src/web/schedule/map/streets.ts: Too many map tiles at once',
  ],
  'in the language of its customer': [
    'src/messaging/outbox/stop_hint.ts: Reply STOP to opt out.',
    'src/messaging/outbox/stop_hint.ts: Responda ALTO para no recibir textos.',
    'src/messaging/push/encryption.ts: Content-Encoding: aes128gcm\x00',
    'src/messaging/push/encryption.ts: Content-Encoding: nonce\x00',
    'src/messaging/push/encryption.ts: WebPush: info\x00',
  ],
  'a template that is translated where it is used': [
    'src/web/messaging/compose/segments.ts: Counts as one text.',
    'src/web/messaging/compose/segments.ts: Counts as {0} texts.',
    'src/web/messaging/compose/segments.ts: It would be fewer without: {0}',
    'src/web/messaging/compose/segments.ts: “{0}” is added, because it is the first text to this number.',
  ],
}

describe('English prose in the source', () => {
  it('appears nowhere outside the language layer, except for listed texts', async () => {
    const paths = (await Array.fromAsync(glob(ROOMS, { cwd: root }))).filter((path) =>
      OTHERS.every((pattern) => !pattern.test(path)),
    )
    assert.ok(paths.length > 500, String(paths.length))
    const proseByFile = await Promise.all(
      paths
        .sort()
        .map(async (path) =>
          proseIn(await readFile(join(root, path), 'utf8'), path).map(({ text }) => `${path}: ${text}`),
        ),
    )
    assert.deepEqual(proseByFile.flat().sort(), Object.values(KNOWN).flat().sort())
  })

  it('is detected in every form it is written', () => {
    const seen = [
      "f('Nothing is kept')",
      'f(`Nothing ${x} kept`)',
      "f(a ? 'It went well' : b)",
      "const x = { reply: 'the phone is lost' }",
      "x.textContent = 'Photo lost.' + say('a')",
      "// say`\nf('Photo is lost') // `",
      'tag`This is ${x}`',
      'say`Due ${f(`on the ${day}`)}`',
    ]
    assert.deepEqual(
      seen.filter((source) => proseIn(source, 'a.ts').length !== 1),
      [],
    )
    const unseen = [
      'say`This is said`',
      "sayFor('visit')`This is said`",
      "sayCount(n, 'It is one', 'There are {0}')",
      "defineRefusals('a', { b: { agent: 'is the first' } })",
      "throw new Error('This is for the log')",
      "import x from 'the module of it'",
      'db.run(sql`select of the table`)',
      "el('button', { class: 'button quiet' })",
      '// This is a comment',
    ]
    assert.deepEqual(
      unseen.filter((source) => proseIn(source, 'a.ts').length > 0),
      [],
    )
  })
})
