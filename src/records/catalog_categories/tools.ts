import { id, optional } from '../../platform/validation/fields.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { clearCategory } from '../catalog_items/index.ts'
import {
  addCategory,
  ancestorsOf,
  changeCategory,
  countCategories,
  findCategory,
  listCategories,
  removeCategory,
} from './catalog_category.ts'
import { CATEGORY } from './fields.ts'
import { depthAfterMove, lockCategory, lockTree, findPlacementUnder, requireUniqueNamesAbove } from './tree.ts'

export const catalogCategories = entity({
  name: 'catalog_categories',
  singular: 'catalog_category',
  subject: 'catalog_categories',
  record: CATEGORY,
  idAliases: ['category', 'parent'],
  tools: [
    pageList({
      title: 'List catalog categories',
      description: 'Flat rows with parent_id and depth, from the root down.',
      input: { parent_id: optional(id()).describe('Only its children') },
      guard: async ({ db }, { parent_id }) => (parent_id == null ? undefined : findCategory(db, parent_id)),
      rows: ({ db }, query) => listCategories(db, query),
      count: ({ db }, query) => countCategories(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a catalog category',
      description: 'A category and its path from the root.',
      input: idInput,
      run: async ({ db }, { id }) => {
        const [category, path] = await Promise.all([findCategory(db, id), ancestorsOf(db, id)])
        return readOutcome({ ...category, path })
      },
    }),
    tool({
      verb: 'create',
      title: 'Create a catalog category',
      description: 'Names are unique within a parent, ignoring case; at most 5 levels.',
      person: true,
      input: CATEGORY.inputs,
      run: async ({ db, caller }, draft) => {
        const [, placement] = await Promise.all([lockTree(db), findPlacementUnder(db, draft.parent_id ?? null)])
        return createOutcome(
          await addCategory(db, caller, CATEGORY.complete(draft, { position: placement.position }), placement.depth),
        )
      },
    }),
    edit({
      verb: 'update',
      title: 'Rename or move a catalog category',
      description: 'Changes the given fields. Subcategories move with it.',
      person: true,
      input: CATEGORY.patchInputs,
      lock: ({ db }, { id }) => lockCategory(db, id),
      run: async ({ db, caller }, patch, before) => {
        const category = applyPatch(before, patch)
        const depth = await depthAfterMove(db, before, category.parent_id)
        return updateOutcome(before, await changeCategory(db, caller, before, category, depth))
      },
    }),
    tool({
      verb: 'delete',
      title: 'Delete a catalog category',
      description:
        'Deletes the category: children move up to its parent, items lose their category. This cannot be undone.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const before = await lockCategory(db, id)
        const [, items_uncategorised] = await Promise.all([
          requireUniqueNamesAbove(db, before),
          clearCategory(db, caller, id),
        ])
        const children_moved = await removeCategory(db, caller, before)
        return removeOutcome({ id, deleted: true, children_moved, items_uncategorised }, before)
      },
    }),
  ],
})
