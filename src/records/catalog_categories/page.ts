import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { part } from '../page/parts.ts'
import { screen } from '../page/screen.ts'
import type { ListPage, PageContext } from '../page/page_context.ts'
import type { Results } from '../../tools/declare/results.ts'
import { categoryTree } from './catalog_category.ts'
import { CATEGORY, type Category } from './fields.ts'
import { catalogCategories } from './tools.ts'

type Full = Results['catalog_categories_get']

/** A row; in the whole tree with the names of its ancestors, visible on phones, else only for screen readers. */
type Row = Results['catalog_categories_list']['rows'][number] & { path?: string[] }

export const categoryScreen = screen<Full, Row>({
  entity: catalogCategories,
  get title() {
    return say`Categories`
  },
  get singular() {
    return say`category`
  },
  menu: { group: 'catalog', position: 2 },
  listing: {
    filters: () => [{ kind: 'record', name: 'parent_id', of: 'catalog_categories' }],
    find: (context, query) =>
      query['parent_id'] === undefined && typeof query['page'] === 'number' && query['page'] <= MAX_PAGES
        ? findTreePage(context, { page: query['page'], limit: Number(query['limit']) })
        : context.call('catalog_categories_list', query),
    columns: (context) => [
      {
        name: 'name',
        label: say`Name`,
        cell: ({ id, name, depth, path = [] }) =>
          html`<span class="depth-${depth}">${
            path.length === 0 ? '' : html`<span class="above">${path.join(' › ')} › </span>`
          }${recordLink(context, 'catalog_categories', id, name)}</span>`,
      },
      {
        name: 'items',
        label: say`Items`,
        cell: (category) => itemsLink(context, category),
        isNumber: true,
        onPhone: 'labeled',
      },
      { name: 'order', label: say`Order`, cell: ({ position }) => String(position), isNumber: true, onPhone: 'none' },
    ],
    get empty() {
      return say`No categories yet. They sort the catalog: Heating, Cooling, Parts.`
    },
    exported: ['id', 'name', 'parent_id', 'position', 'depth', 'item_count'],
  },
  nameOf: ({ name }) => name,
  get fields() {
    return formFields(CATEGORY)
  },
  actions: (_, { item_count, path }) => [
    {
      wire: 'catalog_categories_delete',
      label: say`Delete category`,
      kind: 'danger',
      warning:
        item_count === 0
          ? say`Its subcategories move up to ${path.at(-1)?.name ?? say`the top`}. This can't be undone.`
          : sayCount(
              item_count,
              'Its subcategories move up to {1}, and its item is left without a category. This can’t be undone.',
              'Its subcategories move up to {1}, and its {0} items are left without a category. This can’t be undone.',
              path.at(-1)?.name ?? say`the top`,
            ),
    },
  ],
  links: (context, { id }) => [
    ...(context.may('write:catalog_categories')
      ? [{ label: say`New subcategory`, href: `${context.path('catalog_categories', 'new')}?parent_id=${id}` }]
      : []),
    ...(context.may('write:catalog_items')
      ? [{ label: say`New item here`, href: `${context.path('catalog_items', 'new')}?category_id=${id}` }]
      : []),
  ],
  sheet: async (context, category) => html`
${facts([
  {
    label: say`Inside`,
    value:
      category.path.length === 0
        ? say`At the top`
        : html`${category.path.map(
            ({ id, name }, i) => html`${i === 0 ? '' : ' › '}${recordLink(context, 'catalog_categories', id, name)}`,
          )}`,
  },
  { label: say`Items`, value: itemsLink(context, category), says: say`Not counting subcategories` },
  { label: say`Order`, value: String(category.position) },
  ...sheetFacts(context, CATEGORY, category),
])}
${await childrenHtml(context, category)}`,
})

/** Last page that lists can reach (docs/spec/interface.md#page-lists). */
const MAX_PAGES = 400

async function findTreePage(context: PageContext, { page, limit }: { page: number; limit: number }): Promise<ListPage> {
  const categoryRows = await context.read((db) => categoryTree(db, { page, limit }))
  return { rows: categoryRows.slice(0, limit), hasMore: categoryRows.length > limit }
}

const itemsLink = (context: PageContext, { id, item_count }: Pick<Category, 'id' | 'item_count'>): Html =>
  html`<a href="${context.path('catalog_items')}?category_id=${id}">${item_count}</a>`

async function childrenHtml(context: PageContext, { id }: Category): Promise<Html | ''> {
  const { rows, hasMore } = await context.call('catalog_categories_list', { parent_id: id, limit: 100 })
  return rows.length === 0
    ? ''
    : part(
        say`Subcategories`,
        html`
<ul class="links">${rows.map(
          (child) => html`
  <li>${recordLink(context, 'catalog_categories', child.id, child.name)}</li>`,
        )}
</ul>${
          hasMore
            ? html`
<p><a href="${context.path('catalog_categories')}?parent_id=${id}">${say`Show all`}</a></p>`
            : ''
        }`,
      )
}
