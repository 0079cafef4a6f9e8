import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { removeMember } from '../../src/identity/people/people.ts'
import { entities } from '../../src/records/index.ts'
import { actionsOf } from '../../src/tools/declare/catalog.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'

/** User mistakes on pages and the expected answers: a sentence in their language, without tool or field names. */
type Mistake = { what: string; make: () => Promise<BrowserResponse>; en: RegExp; es: RegExp }

let service: TestService
let office: Office
let customer: Result
let job: Result
let draft: Result
let leaver: string
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance', email: 'dora@example.com' })
  job = await office.call('jobs_create', { customer_id: customer['id'], title: 'Boiler', scheduled_start: at(9) })
  draft = await office.call('invoices_create', { customer_id: customer['id'] })
  await office.call('tags_create', { name: 'Gate code' })
  for (const name of ['Brass valve', 'Brass elbow'])
    await office.call('catalog_items_create', { kind: 'product', name, unit_price_cents: 500 })
  leaver = (await office.hire('tech')).user_id
  await removeMember(service.database, { tenant: office.id }, leaver, { user: office.owner.user_id })
})
after(() => service.stop())

const at = (hour: number): string => `2027-07-05T${String(hour).padStart(2, '0')}:00`
const post = (steps: string[], fields: Record<string, string>): Promise<BrowserResponse> =>
  office.browser.post(office.at(...steps), fields)

/** Sends a form with a file, or with no file chosen. */
const upload = (
  steps: string[],
  field: string,
  more: Record<string, string> = {},
  file = '',
): Promise<BrowserResponse> => {
  const body = new FormData()
  for (const [name, value] of Object.entries(more)) body.append(name, value)
  body.append(field, new File([file], file === '' ? '' : 'a.csv'))
  return office.browser.send(office.at(...steps), {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
}

/** Follows a redirect to the page that shows its message. */
async function followRedirect(sent: Promise<BrowserResponse>): Promise<BrowserResponse> {
  const { location } = await sent
  assert.ok(location !== null)
  return office.browser.get(location)
}

const MISTAKES: readonly Mistake[] = [
  {
    what: 'a logo without a file',
    make: () => upload(['settings', 'company', 'logo'], 'logo'),
    en: /Choose a logo file first\./,
    es: /Elija primero un archivo con el logotipo\./,
  },
  {
    what: 'an import without a file',
    make: () => upload(['settings', 'import'], 'file'),
    en: /Choose a file first\./,
    es: /Elija primero un archivo\./,
  },
  {
    what: 'an import of a kind that there is not',
    make: () => upload(['settings', 'import'], 'file', { kind: 'elephants' }, 'Name\nAna'),
    en: /Choose an option from the list\./,
    es: /Elija una opción de la lista\./,
  },
  {
    what: 'photos without a file',
    make: () => upload(['jobs', job['id'], 'media'], 'files'),
    en: /Choose a photo or a file first\./,
    es: /Elija primero una foto o un archivo\./,
  },
  {
    what: 'an API key without areas',
    make: () => post(['settings', 'keys'], { name: 'Books' }),
    en: /Set at least one area to View or Edit\./,
    es: /Ponga al menos un área en Ver o Editar\./,
  },
  {
    what: 'a client without areas',
    make: () => post(['settings', 'clients'], { name: 'Books' }),
    en: /Set at least one area to View or Edit\./,
    es: /Ponga al menos un área en Ver o Editar\./,
  },
  {
    what: 'the erasure of a customer under another name',
    make: () => post(['customers', customer['id'], 'data', 'erase'], { name: 'Somebody' }),
    en: /Type the full name “Dora Vance” to confirm\./,
    es: /Escriba el nombre completo «Dora Vance» para confirmar\./,
  },
  {
    what: 'the erasure of a customer whose name is kept until yesterday',
    make: () => post(['customers', customer['id'], 'data', 'erase'], { name: 'Dora Vance', keep_until: '2020-01-01' }),
    en: /Choose a day after today, within the next 30 years\./,
    es: /Elija un día posterior a hoy, dentro de los próximos 30 años\./,
  },
  {
    what: 'the erasure of a member under another name',
    make: () => post(['settings', 'members', leaver, 'data', 'erase'], { name: 'Somebody' }),
    en: /Type the full name “Leo Park” to confirm\./,
    es: /Escriba el nombre completo «Leo Park» para confirmar\./,
  },
  {
    what: 'forgotten time without a day',
    make: () => post(['jobs', job['id'], 'time', 'new'], { started_at: '', ended_at: '', reason: 'Forgot' }),
    en: /Enter a date and a time\./,
    es: /Escriba una fecha y una hora\./,
  },
  {
    what: 'a part that the catalog does not have',
    make: () => followRedirect(post(['today', job['id']], { part: 'Flux capacitor' })),
    en: /Not saved\. Choose an item from the list\. This one isn’t in your catalog\./,
    es: /No se guardó\. Elija un artículo de la lista\. Este no está en su catálogo\./,
  },
  {
    what: 'a part that could be two',
    make: () => followRedirect(post(['today', job['id']], { part: 'Brass' })),
    en: /Not saved\. Choose one of these items: Brass elbow, Brass valve\./,
    es: /No se guardó\. Elija uno de estos artículos: Brass elbow, Brass valve\./,
  },
  {
    what: 'a message to an address that is not in the list',
    make: () => post(['messages', 'with', customer['id'], 'send'], { to: 'nobody@example.com', body: 'Hello' }),
    en: /Choose an address from the list\./,
    es: /Elija una dirección de la lista\./,
  },
  {
    what: 'a link to a draft',
    make: () => post(['invoices', draft['id'], 'links'], { days: '30' }),
    en: /A draft is not for the customer yet\. Send it, or mark it as sent, then create the link\./,
    es: /borrador/,
  },
  {
    what: 'a signature under what has changed',
    make: () => post(['jobs', job['id'], 'sign'], { name: 'Dora Vance', shown: 'other' }),
    en: /The work order changed in the meantime\. Read it again\./,
    es: /La orden de trabajo/,
  },
  {
    what: 'a tag with the name of another, which only the database knows',
    make: () => post(['tags', 'new'], { name: 'Gate code' }),
    en: /Another tag has this name\. Choose a different name\./,
    es: /Otra etiqueta ya tiene este nombre\. Elija otro\./,
  },
  {
    what: 'an item with the SKU of another',
    make: async () => {
      await post(['catalog_items', 'new'], { kind: 'product', name: 'Cap', sku: 'CAP-1', unit_price_cents: '1' })
      return post(['catalog_items', 'new'], { kind: 'product', name: 'Cap 2', sku: 'CAP-1', unit_price_cents: '1' })
    },
    en: /Another item has this SKU\. Enter a different one\./,
    es: /Otro artículo ya tiene este SKU\. Escriba otro\./,
  },
  {
    what: 'a list that is filtered by what is no day, which nobody is offered to save',
    make: async () => {
      const seen = await office.browser.get(`${office.at('jobs')}?scheduled_from=yesterday`)
      assert.equal(seen.status, 422)
      assert.doesNotMatch(pageTextOf(seen), /Save view|Guardar vista/)
      return seen
    },
    en: /Check your filters .*Enter a date\./,
    es: /Escriba una fecha\./,
  },
  {
    what: 'a move by script without the version that was seen',
    make: () =>
      office.browser.send(office.at('schedule', 'move', job['id']), {
        method: 'POST',
        body: new URLSearchParams({ scheduled_start: at(11) }),
        headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      }),
    en: /Reload the page, then move the visit again\./,
    es: /Vuelva a cargar la página y mueva la visita otra vez\./,
  },
]

const WIRE_NAMES = new RegExp(String.raw`\b(?:${[...actionsOf(entities).keys()].join('|')})\b`)
const SNAKE_CASE = /\b[a-z]+_[a-z_]+\b/

/** Returns the visible text of a page, or the message in a JSON response. */
function visibleTextOf(seen: BrowserResponse): string {
  if (!(seen.headers.get('content-type') ?? '').startsWith('application/json')) return pageTextOf(seen)
  return (JSON.parse(seen.text) as { error_description: string }).error_description
}

for (const language of ['en', 'es'] as const)
  describe(`a user mistake in ${language}`, () => {
    before(() => submit(office.browser, office.at('settings'), { language }, office.at('settings', 'you')))

    for (const mistake of MISTAKES)
      it(`gets a message without tool or field names: ${mistake.what}`, async () => {
        const text = visibleTextOf(await mistake.make())
        assert.match(text, mistake[language])
        assert.doesNotMatch(text, WIRE_NAMES)
        assert.doesNotMatch(text, SNAKE_CASE)
      })
  })
