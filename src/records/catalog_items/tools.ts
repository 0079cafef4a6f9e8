import type { Caller } from '../../identity/credentials/caller.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { cents, decimalOrText } from '../line_items/inputs.ts'
import { unitPrice } from '../../money/bounds.ts'
import { invalidField, invalidFields } from '../../platform/errors/refusal.ts'
import { refuse } from '../../platform/errors/rule_text.ts'
import { choice, choices, date, flag, id, wholeNumber } from '../../platform/validation/fields.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { newId } from '../../platform/validation/id.ts'
import { objectList } from '../../platform/validation/list.ts'
import { searchText, text } from '../../platform/validation/text/text.ts'
import { readSkills } from '../../scheduling/skills/skills.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import {
  changesBetween,
  updateOutcome,
  createOutcome,
  removeOutcome,
  readOutcome,
  type Outcome,
} from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { findCategory, requireCategory } from '../catalog_categories/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import { CATALOG_ITEM, KINDS } from './fields.ts'
import { addItem, archiveItem, changeItem, findItem, findItemSkills, lockItem, setItemSkills } from './catalog_item.ts'
import { componentsOf, replaceComponents, requireComponents, requireNotBundled } from './components.ts'
import { requireCostRights, redactCost, type ItemView } from './costs/cost.ts'
import { buildItem, toFullItem, problemsOf, reviseItem, type FullItem } from './kinds.ts'
import { countItems, listItems } from './listing.ts'
import { MAX_RECURRING, findNextPrice, setNextPrice, writeNextPrice } from './prices/next_price.ts'
import { refusals as priceRefusals } from './prices/refusals.ts'
import { listChangeable } from '../price_changes/index.ts'
import { refusals } from './refusals.ts'

const COMPONENT_QUANTITY = { scale: 3, min: 1n, max: 9_999_000n, below: 'must be at least 0.001' }

const componentInputs = {
  catalog_item_id: id().describe('Item'),
  quantity: decimalOrText(COMPONENT_QUANTITY).optional().describe('Count'),
  position: wholeNumber(0, 9999).optional().meta({ hidden: true }),
}

const components = objectList(componentInputs, 50)
  .refine((list) => list === undefined || list.length > 0, refuse(refusals.noComponents()))
  .describe('For bundles')

export const catalogItems = entity({
  name: 'catalog_items',
  singular: 'catalog_item',
  subject: 'catalog_items',
  record: CATALOG_ITEM,
  redact: redactCost,
  tools: [
    pageList({
      title: 'List catalog items',
      description: 'Everything the company sells, by name.',
      input: {
        kind: choices(...KINDS)
          .optional()
          .describe('Only these kinds'),
        category_id: id().optional().describe('Only this category'),
        include_descendants: flag().optional().describe('Default true'),
        query: searchText(200).describe('Name or SKU'),
      },
      guard: async ({ db }, { category_id }) => (category_id === undefined ? undefined : findCategory(db, category_id)),
      rows: async ({ db, caller }, query) => (await listItems(db, query)).map((row) => redactCost(caller, row)),
      count: ({ db }, query) => countItems(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a catalog item',
      description: 'An item; a bundle with its components.',
      input: idInput,
      run: async ({ db, caller }, { id }) => redactOutcome(caller, readOutcome(await findFullItem(db, id))),
    }),
    tool({
      verb: 'create',
      title: 'Create a catalog item',
      description: 'Bundles need components, discounts a type and value, others a price.',
      person: true,
      input: { ...CATALOG_ITEM.inputs, components },
      check: ({ kind, components, ...sent }, problem) => {
        problemsOf(buildItem(kind, sent), { ...sent, components }).forEach(({ path, rule }) => problem(path, rule))
        if (kind === 'bundle' && components === undefined) problem('components', refusals.componentsMissing())
      },
      run: async ({ db, caller }, { kind, components, ...sent }) => {
        requireCostRights(caller, sent)
        const [id, item] = [newId(), buildItem(kind, sent)]
        await Promise.all([
          requireCategory(db, item.category_id),
          requireLiveRate(db, item.tax_rate_id),
          requireComponents(db, id, components),
        ])
        const [, , created] = await Promise.all([
          addItem(db, caller, id, item),
          replaceComponents(db, id, components),
          findFullItem(db, id),
        ])
        return redactOutcome(caller, createOutcome(requirePriceWithinLimit(created)))
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a catalog item',
      description: 'Changes the given fields; null or empty text clears one. components replaces the whole list.',
      person: true,
      input: {
        ...CATALOG_ITEM.patchInputs,
        components,
        kind: choice(...KINDS)
          .optional()
          .meta({ hidden: true }),
      },
      fixed: ['kind'],
      lock: async ({ db, caller }, { id, ...sent }) => {
        requireCostRights(caller, sent)
        return lockItem(db, id)
      },
      lookUp: ({ db }, { id }) => componentsOf(db, id),
      run: async ({ db, caller }, { components, ...sent }, before, componentsBefore) => {
        const { id } = before
        const item = reviseItem(before, sent)
        const problems = problemsOf(item, { ...sent, components })
        if (problems.length > 0) throw invalidFields(problems)
        await Promise.all([
          item.category_id === before.category_id ? undefined : requireCategory(db, item.category_id),
          item.tax_rate_id === before.tax_rate_id ? undefined : requireLiveRate(db, item.tax_rate_id),
          requireComponents(db, id, components),
        ])
        const [, , after] = await Promise.all([
          changeItem(db, caller, before, item),
          replaceComponents(db, id, components),
          findFullItem(db, id),
        ])
        return redactOutcome(
          caller,
          updateOutcome(toFullItem(before, componentsBefore), requirePriceWithinLimit(after)),
        )
      },
    }),
    tool({
      verb: 'archive',
      title: 'Archive a catalog item',
      description: 'Hides the item; refused while a bundle contains it. Documents keep their copies.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        await Promise.all([lockItem(db, id), requireNotBundled(db, id)])
        return removeOutcome(await archiveItem(db, caller, id), { archived_at: null })
      },
    }),
  ],
  pageActions: [
    tool({
      verb: 'set_skills',
      title: 'Set the skills that an item needs',
      description: 'Replaces the skills required for the work.',
      person: true,
      input: { ...idInput, skills: text(1000).describe('Skills, separated by commas') },
      run: async ({ db, caller }, { id, skills }) => {
        await lockItem(db, id)
        const [earlier, next] = [await findItemSkills(db, id), readSkills(skills ?? '')]
        await setItemSkills(db, caller, id, next)
        return {
          result: redactCost(caller, await findFullItem(db, id)),
          written: { record: id, changes: changesBetween({ skills: earlier }, { skills: next }) },
        }
      },
    }),
    tool({
      verb: 'schedule_price',
      title: 'Schedule a price change',
      description: 'Sets the price of an item from a later day on, also for the recurring work given.',
      person: true,
      input: {
        ...idInput,
        unit_price_cents: cents().describe('New price'),
        from: date().describe('First day'),
        recurring: id().array().max(MAX_RECURRING).optional().describe('Ids of recurring jobs and plans'),
      },
      run: async ({ db, caller }, { id, recurring = [], ...price }) => {
        const [before, earlier] = [await lockItem(db, id), await findNextPrice(db, id)]
        const changeable = await listChangeable(db, caller.scopes, id, before.unit_price_cents ?? 0)
        if (!recurring.every((one) => changeable.some((work) => work.id === one)))
          throw invalidField('recurring', priceRefusals.unknownWork())
        const next = { ...price, recurring }
        await setNextPrice(db, caller.user, before, next, todayIn(caller.tenant.timezone))
        return {
          result: redactCost(caller, await findFullItem(db, id)),
          written: { record: id, changes: changesBetween({ next_price: earlier }, { next_price: next }) },
        }
      },
    }),
    tool({
      verb: 'cancel_price',
      title: 'Cancel a scheduled price',
      description: 'Removes the scheduled price of an item.',
      person: true,
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const [, earlier] = [await lockItem(db, id), await findNextPrice(db, id)]
        await writeNextPrice(db, caller.user, id, null)
        return {
          result: redactCost(caller, await findFullItem(db, id)),
          written: { record: id, changes: changesBetween({ next_price: earlier }, { next_price: null }) },
        }
      },
    }),
  ],
})

/** Returns an outcome as its caller may see it; the audit log keeps everything, for owners. */
const redactOutcome = <Item extends object>(caller: Caller, outcome: Outcome<Item>): Outcome<ItemView<Item>> => ({
  ...outcome,
  result: redactCost(caller, outcome.result),
})

async function findFullItem(db: Db, id: string): Promise<FullItem> {
  const [item, components] = await Promise.all([findItem(db, id), componentsOf(db, id)])
  return toFullItem(item, components)
}

/** Refuses a computed price above the maximum unit price of a line. */
function requirePriceWithinLimit(item: FullItem): FullItem {
  const { unit_price_cents: price } = item
  if (price == null || price <= Number(unitPrice.max)) return item
  throw invalidField('components', refusals.tooExpensive({ price: String(price), max: String(unitPrice.max) }))
}
