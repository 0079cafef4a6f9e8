import type { Result } from '../harness/harness.ts'
import type { Discount, Line, Totals } from './money.ts'

export type Code = 'invalid_input' | 'not_found' | 'conflict' | 'insufficient_scope'

/** Time that the service chooses. The model stores the first value it sees and expects it from then on. */
export type Stamp = { at?: string }

type Of<Kind extends string, Fields> = Fields & { kind: Kind; id: string; created_at: string; live: boolean }

export type Customer = Of<
  'customer',
  {
    customer_type: 'individual' | 'company'
    first_name: string | null
    last_name: string | null
    company_name: string | null
    status: string
    external_id: string | null
    tax_exempt: boolean
    terms: number | null
    tags: Set<string>
  }
>
export type Contact = Of<
  'contact',
  { customer_id: string; first_name: string | null; email: string | null; is_primary: boolean }
>
export type Location = Of<
  'location',
  { customer_id: string; type: string; address_line1: string; tax_rate_id: string | null; is_primary: boolean }
>
export type Tag = Of<'tag', { name: string; color: string | null }>
export type Note = Of<'note', { body: string; author: string; subject_type: string | null; subject_id: string | null }>
export type Job = Of<
  'job',
  {
    customer_id: string
    location_id: string | null
    contact_id: string | null
    title: string
    status: string
    start: string | null
    end: string | null
    duration: number
    lines: Line[]
    subtotal: number
    quote_id: string | null
    completed_at: Stamp | null
    cancelled_at: Stamp | null
    cancel_reason: string | null
  }
>
/**
 * Fields that invoices, quotes and plans share. `chosen` is the requested tax rate; if it is undefined, none is looked
 * up.
 */
export type Priced = {
  customer_id: string
  location_id: string | null
  lines: Line[]
  discount: Discount | null
  chosen: string | null | undefined
  rate: string | null
  totals: Totals
}
export type Invoice = Of<
  'invoice',
  Priced & {
    number: number
    status: string
    subject: string | null
    issue_date: string
    due_date: string
    job_ids: string[]
    quote_id: string | null
    paid: number
    sent_at: Stamp | null
    voided_at: Stamp | null
  }
>
export type Quote = Of<
  'quote',
  Priced & {
    owner: string
    title: string
    status: string
    message: string | null
    valid_until: string
    accepted_at: Stamp | null
    declined_at: Stamp | null
    decline_reason: string | null
    converted_job_id: string | null
    converted_invoice_id: string | null
  }
>
export type Rate = Of<'rate', { name: string; percent: string; is_default: boolean }>
export type Category = Of<'category', { name: string; parent_id: string | null; position: number | undefined }>
export type Item = Of<
  'item',
  {
    item_kind: string
    name: string
    sku: string | null
    category_id: string | null
    price: number | null
    taxable: boolean
    tax_rate_id: string | null
    cost: number | null
    pricing: string | null
    components: { id: string; milli: bigint }[]
    discount: Discount | null
  }
>
export type Plan = Of<
  'plan',
  Priced & {
    name: string
    status: string
    cadence: string
    start_date: string
    cancel_reason: string | null
    cancelled_at: Stamp | null
  }
>

export type Rec = Customer | Contact | Location | Tag | Note | Job | Invoice | Quote | Rate | Category | Item | Plan
export type Kind = Rec['kind']
export type RecordOf<K extends Kind> = Extract<Rec, { kind: K }>

export type Actor = {
  name: string
  id: string | null
  role: 'owner' | 'office' | 'tech' | null
  scopes: ReadonlySet<string>
  isStranger: boolean
}

export type World = { records: Map<string, Rec>; nextInvoice: number; today: string }

/** Expected outcome of a call: the codes of the rules that it breaks, or the answer and the changed records. */
export type Verdict = Code[] | ((answer: Result) => { shows?: Rec; says?: Record<string, unknown>; touched: Rec[] })
export type Rule = (world: World, actor: Actor, given: Result) => Verdict
export type Rules = Record<string, { scope: string; person?: true; rule: Rule }>

export const broken = (...rules: (readonly [isBroken: boolean, code: Code])[]): Code[] =>
  rules.filter(([isBroken]) => isBroken).map(([, code]) => code)

export const all = <K extends Kind>(world: World, kind: K): RecordOf<K>[] =>
  [...world.records.values()].filter((record): record is RecordOf<K> => record.kind === kind)

/** Sorts records by creation time. */
export const oldestFirst = <R extends Rec>(records: R[]): R[] =>
  records.toSorted((a, b) =>
    a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1,
  )

export function isLive(world: World, record: Rec): boolean {
  if (record.kind !== 'contact' && record.kind !== 'location') return record.live
  return record.live && world.records.get(record.customer_id)!.live
}

/** Returns a live record of this kind in the actor's company. */
export function live<K extends Kind>(world: World, actor: Actor, kind: K, id: unknown): RecordOf<K> | undefined {
  const record = typeof id === 'string' && !actor.isStranger ? world.records.get(id) : undefined
  return record?.kind === kind && isLive(world, record) ? (record as RecordOf<K>) : undefined
}

/** Checks whether a reference is set but isn't a live record of this customer. */
export function strays(
  world: World,
  actor: Actor,
  kind: 'contact' | 'location' | 'job' | 'quote',
  id: unknown,
  customer: string | undefined,
): boolean {
  if (id === undefined || id === null) return false
  return customer === undefined || live(world, actor, kind, id)?.customer_id !== customer
}

export const lacksRate = (world: World, actor: Actor, id: unknown): boolean =>
  id !== undefined && id !== null && live(world, actor, 'rate', id) === undefined

/** Trims a text. An empty text becomes null. */
export const text = (given: unknown): string | null =>
  typeof given === 'string' && given.trim() !== '' ? given.trim() : null
export const isBlank = (given: Result, field: string): boolean => field in given && text(given[field]) === null

/** Returns a field after a patch. A field that isn't sent keeps its value. */
export const patchField = <T>(given: Result, field: string, present: T): T =>
  field in given ? (given[field] as T) : present

export function addRecord<R extends Rec>(
  world: World,
  record: Omit<R, 'created_at' | 'live' | 'id'>,
  answer: Result,
): R {
  const kept = { ...record, id: answer['id'], created_at: answer['created_at'], live: true } as R
  world.records.set(kept.id, kept)
  return kept
}

/** Makes a lead active with its first job, invoice, plan or accepted quote. */
export function activateLead(customer: Customer): void {
  if (customer.status === 'lead') customer.status = 'active'
}
