import { facts } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { pathOptions } from '../../screens/fields/choices.ts'
import { choiceField, numberField, textField } from '../../screens/fields/fields.ts'
import { recordLink } from '../../screens/links.ts'
import { part } from '../../screens/parts.ts'
import { screen } from '../../screens/screen.ts'
import type { ListPage, PageContext } from '../../screens/page_context.ts'
import type { Results } from '../../tools/results.ts'
import { allCategories, categoryTree, type Category } from './catalog_category.ts'
import { catalogCategories } from './tools.ts'

type Full = Results['catalog_categories_get']

/** Describes a row; in the whole tree with the names above it, which are shown on a phone and otherwise for screen readers. */
type Row = Results['catalog_categories_list']['rows'][number] & { path?: string[] }

export const categoryScreen = screen<Full, Row>({
  entity: catalogCategories,
  title: 'Categories',
  one: 'category',
  menu: { group: 'catalog', position: 2 },
  listing: {
    filters: [{ kind: 'record', name: 'parent_id', of: 'catalog_categories' }],
    find: (context, given) =>
      given['parent_id'] === undefined && typeof given['page'] === 'number' && given['page'] <= MAX_PAGES
        ? tree(context, { page: given['page'], limit: Number(given['limit']) })
        : context.call('catalog_categories_list', given),
    columns: (context) => [
      {
        label: 'Name',
        cell: ({ id, name, depth, path = [] }) =>
          html`<span class="depth-${depth}">${path.length === 0 ? '' : html`<span class="above">${path.join(' › ')} › </span>`}${recordLink(context, 'catalog_categories', id, name)}</span>`,
      },
      { label: 'Items', cell: (category) => items(context, category), isNumber: true },
      { label: 'Order', cell: ({ position }) => String(position), isNumber: true },
    ],
    empty: 'No categories yet. They sort the catalogue: Heating, Cooling, Parts.',
    exported: ['id', 'name', 'parent_id', 'position', 'depth', 'item_count'],
  },
  nameOf: ({ name }) => name,
  fields: [
    textField({ name: 'name', label: 'Name', isRequired: true, help: "Two beside each other can't have the same" }),
    choiceField({
      name: 'parent_id',
      label: 'Inside',
      options: async (context) => pathOptions(await context.read(allCategories)),
      none: 'Nothing: at the top',
    }),
    numberField({ name: 'position', label: 'Order', help: 'Low numbers come first. Last when left empty' }),
  ],
  actions: (_, { item_count, path }) => [
    {
      wire: 'catalog_categories_delete',
      label: 'Delete the category',
      kind: 'danger',
      warns: `What is inside it moves up to ${path.at(-1)?.name ?? 'the top'}. ${itemsLeft(item_count)} This can't be undone.`,
    },
  ],
  ways: (context, { id }) => [
    ...(context.may('write:catalog_categories')
      ? [{ label: 'New category inside', href: `${context.path('catalog_categories', 'new')}?parent_id=${id}` }]
      : []),
    ...(context.may('write:catalog_items')
      ? [{ label: 'New item in it', href: `${context.path('catalog_items', 'new')}?category_id=${id}` }]
      : []),
  ],
  sheet: async (context, category) => html`
${facts([
  {
    label: 'Inside',
    value:
      category.path.length === 0
        ? 'At the top'
        : html`${category.path.map(({ id, name }, i) => html`${i === 0 ? '' : ' › '}${recordLink(context, 'catalog_categories', id, name)}`)}`,
  },
  { label: 'Items', value: items(context, category), says: 'Without those of the categories inside it' },
  { label: 'Order', value: String(category.position) },
])}
${await inside(context, category)}`,
})

/** Is as far as lists reach (docs/spec/interface.md#page-lists). */
const MAX_PAGES = 400

async function tree(context: PageContext, { page, limit }: { page: number; limit: number }): Promise<ListPage> {
  const found = await context.read((db) => categoryTree(db, { page, limit }))
  return { rows: found.slice(0, limit), hasMore: found.length > limit }
}

const items = (context: PageContext, { id, item_count }: Pick<Category, 'id' | 'item_count'>): Html =>
  html`<a href="${context.path('catalog_items')}?category_id=${id}">${item_count}</a>`

const itemsLeft = (count: number): string =>
  count === 0
    ? 'No item is in it.'
    : count === 1
      ? 'Its item is left without a category.'
      : `Its ${count} items are left without a category.`

async function inside(context: PageContext, { id }: Category): Promise<Html | ''> {
  const { rows, hasMore } = await context.call('catalog_categories_list', { parent_id: id, limit: 100 })
  return rows.length === 0
    ? ''
    : part(
        'Inside it',
        html`
<ul class="links">${rows.map(
          (child) => html`
  <li>${recordLink(context, 'catalog_categories', child.id, child.name)}</li>`,
        )}
</ul>${
          hasMore
            ? html`
<p><a href="${context.path('catalog_categories')}?parent_id=${id}">All of them</a></p>`
            : ''
        }`,
      )
}
