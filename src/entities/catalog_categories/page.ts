import { facts } from '../../html/facts.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { pathOptions } from '../../screens/fields/choices.ts'
import { choiceField, numberField, textField } from '../../screens/fields/fields.ts'
import { recordLink } from '../../screens/links.ts'
import { part } from '../../screens/parts.ts'
import { screen } from '../../screens/screen.ts'
import type { Desk } from '../../screens/page_context.ts'
import type { Found } from '../../screens/screen.ts'
import { allCategories, categoryTree } from './catalog_category.ts'
import type { Category } from './catalog_category.ts'
import { catalogCategories } from './tools.ts'

type Full = Category & { path: { id: string; name: string }[] }

/** In the whole tree with the names above it, which a phone shows and others say. */
type Row = Category & { path?: string[] }

export const categoryScreen = screen<Full, Row>({
  entity: catalogCategories, title: 'Categories', one: 'category',
  listing: {
    filters: [{ kind: 'record', name: 'parent_id', of: 'catalog_categories' }],
    find: (desk, given) => (given['parent_id'] === undefined && typeof given['page'] === 'number' && given['page'] <= MOST_PAGES
      ? tree(desk, { page: given['page'], limit: Number(given['limit']) }) : desk.call<Found>('catalog_categories_list', given)),
    columns: (desk) => [
      { label: 'Name', cell: ({ id, name, depth, path = [] }) => html`<span class="depth-${depth}">${path.length === 0 ? '' : html`<span class="above">${path.join(' › ')} › </span>`}${recordLink(desk, 'catalog_categories', id, name)}</span>` },
      { label: 'Items', cell: (category) => items(desk, category), isNumber: true },
      { label: 'Order', cell: ({ position }) => String(position), isNumber: true },
    ],
    empty: 'No categories yet. They sort the catalogue: Heating, Cooling, Parts.',
    exported: ['id', 'name', 'parent_id', 'position', 'depth', 'item_count'],
  },
  nameOf: ({ name }) => name,
  fields: [
    textField({ name: 'name', label: 'Name', isRequired: true, help: 'Two beside each other can\'t have the same' }),
    choiceField({ name: 'parent_id', label: 'Inside', options: async (desk) => pathOptions(await desk.read(allCategories)), none: 'Nothing: at the top' }),
    numberField({ name: 'position', label: 'Order', help: 'Low numbers come first. Last when left empty' }),
  ],
  deeds: (_, { item_count, path }) => [{
    wire: 'catalog_categories_delete', label: 'Delete the category', kind: 'danger',
    warns: `What is inside it moves up to ${path.at(-1)?.name ?? 'the top'}. ${itemsLeft(item_count)} This can't be undone.`,
  }],
  ways: (desk, { id }) => [
    ...(desk.may('write:catalog_categories') ? [{ label: 'New category inside', href: `${desk.path('catalog_categories', 'new')}?parent_id=${id}` }] : []),
    ...(desk.may('write:catalog_items') ? [{ label: 'New item in it', href: `${desk.path('catalog_items', 'new')}?category_id=${id}` }] : []),
  ],
  sheet: async (desk, category) => html`
${facts([
    { label: 'Inside', value: category.path.length === 0 ? 'At the top' : html`${category.path.map(({ id, name }, i) => html`${i === 0 ? '' : ' › '}${recordLink(desk, 'catalog_categories', id, name)}`)}` },
    { label: 'Items', value: items(desk, category), says: 'Without those of the categories inside it' },
    { label: 'Order', value: String(category.position) },
  ])}
${await inside(desk, category)}`,
})

/** As far as lists reach (records 2.1, PAGE). */
const MOST_PAGES = 400

async function tree(desk: Desk, { page, limit }: { page: number; limit: number }): Promise<Found> {
  const found = await desk.read((db) => categoryTree(db, { page, limit }))
  return { rows: found.slice(0, limit), hasMore: found.length > limit }
}

const items = (desk: Desk, { id, item_count }: Category): Html => html`<a href="${desk.path('catalog_items')}?category_id=${id}">${item_count}</a>`

const itemsLeft = (count: number): string => (count === 0 ? 'No item is in it.' : count === 1 ? 'Its item is left without a category.' : `Its ${count} items are left without a category.`)

async function inside(desk: Desk, { id }: Category): Promise<Html | ''> {
  const { rows, hasMore } = await desk.call<{ rows: Category[]; hasMore: boolean }>('catalog_categories_list', { parent_id: id, limit: 100 })
  return rows.length === 0 ? '' : part('Inside it', html`
<ul class="links">${rows.map((child) => html`
  <li>${recordLink(desk, 'catalog_categories', child.id, child.name)}</li>`)}
</ul>${hasMore ? html`
<p><a href="${desk.path('catalog_categories')}?parent_id=${id}">All of them</a></p>` : ''}`)
}
