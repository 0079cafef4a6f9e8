import { z } from 'zod'
import type { Db } from '../../platform/db/tenant.ts'
import { conflictField, invalidField } from '../../platform/errors/refusal.ts'
import { parseField } from '../../identity/inputs.ts'
import { text } from '../../platform/validation/text/text.ts'
import { listPublicItems, type PublicItem } from '../../records/catalog_items/index.ts'
import { refusals } from './refusals.ts'

/** Ways to show a price: exact, as a minimum ("from"), or not at all. */
const PRICE_KINDS = ['exact', 'from', 'none'] as const
type PriceKind = (typeof PRICE_KINDS)[number]

/** Service that can be booked online, as the company set it up. */
export type StoredService = { catalog_item_id: string; minutes: number; price: PriceKind; questions: string[] }

/** The same with the details of its catalog item. */
export type BookableService = StoredService & Pick<PublicItem, 'name' | 'description' | 'unit_price_cents' | 'skills'>

/** Service as text from a form. */
type ServiceDraft = { catalog_item_id: string; minutes: string; price: string; questions: readonly string[] }

const MAX_SERVICES = 30
export const MAX_QUESTIONS = 3
const MAX_QUESTION_LENGTH = 200
const [MIN_MINUTES, MAX_MINUTES] = [15, 600]

/** Returns the services in the company's order, without those whose catalog item is archived. */
export async function listServices(db: Db, stored: readonly StoredService[]): Promise<BookableService[]> {
  const items = await listPublicItems(
    db,
    stored.map(({ catalog_item_id }) => catalog_item_id),
  )
  const byId = new Map(items.map((item) => [item.id, item]))
  return stored.flatMap((service) => {
    const item = byId.get(service.catalog_item_id)
    if (item === undefined) return []
    const { name, description, unit_price_cents, skills } = item
    return [{ ...service, name, description, unit_price_cents, skills }]
  })
}

/** Parses a service. Throws unless its item is live work of the catalog. */
export async function readService(db: Db, draft: ServiceDraft): Promise<StoredService> {
  const minutes = readWhole(draft.minutes, 'minutes', MIN_MINUTES, MAX_MINUTES)
  const [item] = z.uuid().safeParse(draft.catalog_item_id).success
    ? await listPublicItems(db, [draft.catalog_item_id])
    : []
  if (item === undefined) throw invalidField('catalog_item_id', refusals.noSuchService())
  const questions = draft.questions
    .slice(0, MAX_QUESTIONS)
    .flatMap((question, i) => parseField(text(MAX_QUESTION_LENGTH), question, `question_${i + 1}`) ?? [])
  return {
    catalog_item_id: item.id,
    minutes,
    price: PRICE_KINDS.find((kind) => kind === draft.price) ?? 'none',
    questions,
  }
}

/** Returns the list with a service added, or replaced where it is already listed. */
export function withService(before: readonly StoredService[], service: StoredService): StoredService[] {
  const isListed = before.some(({ catalog_item_id }) => catalog_item_id === service.catalog_item_id)
  if (isListed) return before.map((one) => (one.catalog_item_id === service.catalog_item_id ? service : one))
  if (before.length >= MAX_SERVICES)
    throw conflictField('catalog_item_id', refusals.tooManyServices({ max: String(MAX_SERVICES) }))
  return [...before, service]
}

export function readWhole(input: string, field: string, min: number, max: number): number {
  const value = Number(input.trim())
  if (!/^\d{1,9}$/.test(input.trim()) || value < min || value > max)
    throw invalidField(field, refusals.badNumber({ min: String(min), max: String(max) }))
  return value
}
