import { linkButton } from '../../platform/html/parts/button.ts'
import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { phone } from '../format/formats.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag } from '../page/parts.ts'
import { screen } from '../page/screen.ts'
import { swatch } from '../page/tag_chip.ts'
import type { Results } from '../../tools/declare/results.ts'
import { TAG } from './fields.ts'
import { tags } from './tools.ts'

/** List row, without null fields. */
type Row = Results['tags_list']['rows'][number]

const MAX_SHOWN = 10

export const tagScreen = screen<Results['tags_get'], Row>({
  entity: tags,
  get title() {
    return say`Tags`
  },
  get singular() {
    return say`tag`
  },
  menu: { group: 'customers', position: 3 },
  listing: {
    filters: () => [{ kind: 'search', name: 'query', label: say`Name begins with` }],
    columns: (context) => [
      { name: 'name', label: say`Name`, cell: ({ id, name }) => recordLink(context, 'tags', id, name) },
      {
        name: 'color',
        label: say`Color`,
        cell: ({ color }) => colorOf(color ?? null),
        isOneLine: true,
        onPhone: 'side',
      },
      {
        name: 'customers',
        label: say`Customers`,
        cell: ({ id, name }) =>
          html`<a href="${context.path('customers')}?tag=${id}">${say`Show customers`}<span
            class="unseen">: ${name}</span></a>`,
      },
    ],
    get empty() {
      return say`No tags yet. A tag marks customers: VIP, Net 30, Gate code needed.`
    },
    exported: TAG.listed,
  },
  nameOf: ({ name }) => name,
  get fields() {
    return formFields(TAG)
  },
  actions: () => [
    {
      wire: 'tags_delete',
      label: say`Delete tag`,
      kind: 'danger',
      warning: say`It is removed from every customer. This can't be undone.`,
    },
  ],
  sheet: async (context, tag) => {
    const { id, color, usage_count } = tag
    const { rows } = await context.call('customers_search', { tag: id, limit: MAX_SHOWN })
    return html`
${facts([
  { label: say`Color`, value: colorOf(color) },
  { label: say`Customers`, value: String(usage_count) },
  ...sheetFacts(context, TAG, tag),
])}
${part(
  say`Tagged customers`,
  table({
    caption: say`Tagged customers`,
    isCaptionHidden: true,
    rows,
    get empty() {
      return say`No customers have it yet.`
    },
    columns: [
      { label: say`Name`, cell: ({ id, display_name }) => recordLink(context, 'customers', id, display_name) },
      { label: say`Phone`, cell: ({ primary_phone }) => (primary_phone === undefined ? '–' : phone(primary_phone)) },
      { label: say`Status`, cell: ({ status }) => statusTag(status) },
    ],
  }),
  linkButton(say`Show all`, `${context.path('customers')}?tag=${id}`, 'quiet'),
)}`
  },
})

const colorOf = (color: string | null): Html | string => (color === null ? say`None` : swatch(color))
