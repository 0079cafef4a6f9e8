import type { Office } from '../cost/office.ts'
import { formSent, type Target } from '../cost/requests.ts'
import { patternsOf } from '../cost/targets.ts'
import { applyGenesToFields } from './apply_genes.ts'
import type { MalformedCompany } from './company.ts'
import { QUERY } from './page_targets.ts'

/** Returns the targets of customers and technicians: the pages and forms behind a link, and all pages as a technician. */
export const personTargets = async (office: Office, company: MalformedCompany): Promise<Target[]> =>
  (await Promise.all([linkTargets(office, company), technicianTargets(office, company)]))
    .flat()
    .map((target) => ({ ...target, misplaced: company.misplaced }))

type Person = { office: Office; cookie: string | undefined }

/** Returns the targets at an address: its query and, if it takes one, its form. */
async function targetsAt({ office, cookie }: Person, path: string, takesForm: boolean): Promise<Target[]> {
  const headers = cookie === undefined ? {} : { cookie }
  const query: Target = {
    name: `GET ${path}, ${cookie === undefined ? 'a customer' : 'a technician'}`,
    maxBytes: 12_000,
    fields: QUERY,
    request: (genes) => ({
      path: `${path}?${applyGenesToFields([], genes).toString().slice(0, 12_000)}`,
      headers,
      body: Buffer.alloc(0),
    }),
  }
  if (!takesForm) return [query]
  const usual = await office.fieldsAt(path, cookie ?? '')
  const form: Target = {
    name: `POST ${path}, ${cookie === undefined ? 'a customer' : 'a technician'}`,
    maxBytes: 100_000,
    fields: [...new Set([...usual.map(([name]) => name), 'strange'])],
    request: (genes) => formSent(path, Buffer.from(applyGenesToFields(usual, genes).toString()), cookie),
  }
  return [query, form]
}

/** Returns the pages behind customers' links: those with a form, and those with a query only. */
async function linkTargets(office: Office, { links }: MalformedCompany): Promise<Target[]> {
  const steps = {
    quotes: { pages: ['', '/pdf', '/logo/a'], forms: ['/accept', '/decline', '/question'] },
    invoices: { pages: ['', '/pdf', '/paid'], forms: ['/pay', '/question'] },
    customers: { pages: ['', '/pdf'], forms: ['/question'] },
  }
  const targets = Object.entries(steps).flatMap(([kind, { pages, forms }]) =>
    links[kind as keyof typeof links].flatMap((link) => [
      ...pages.map((step) => targetsAt({ office, cookie: undefined }, link + step, false)),
      ...forms.map((step) => targetsAt({ office, cookie: undefined }, link + step, true)),
    ]),
  )
  return (await Promise.all(targets)).flat()
}

/** Returns every page and form of the company as a technician opens it. */
async function technicianTargets(office: Office, { technician: { cookie } }: MalformedCompany): Promise<Target[]> {
  const isOurs = (pattern: string): boolean => pattern.includes(':tenant')
  const [pages, forms] = (['GET', 'POST'] as const).map((method) => [
    ...new Set(
      patternsOf(office, method)
        .filter(isOurs)
        .flatMap((pattern) => office.pathsOf(pattern)),
    ),
  ])
  const targets = [...new Set([...pages!, ...forms!])]
    .filter((path) => !path.includes('/do/') || forms!.includes(path))
    .map((path) => targetsAt({ office, cookie }, path, forms!.includes(path)))
  return (await Promise.all(targets)).flat()
}
