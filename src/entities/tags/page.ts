import { linkButton } from '../../html/button.ts'
import { facts } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { table } from '../../html/table.ts'
import { textField } from '../../screens/fields/fields.ts'
import { phone } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part, state } from '../../screens/parts.ts'
import { screen } from '../../screens/screen.ts'
import { swatch } from '../../screens/tag_chip.ts'
import type { Results } from '../../tools/results.ts'
import { colourField } from './colour_field.ts'
import { tags } from './tools.ts'

/** Describes a list row, which leaves out what is null. */
type Row = Results['tags_list']['rows'][number]

const MAX_SHOWN = 10

export const tagScreen = screen<Results['tags_get'], Row>({
  entity: tags,
  title: 'Tags',
  one: 'tag',
  menu: { group: 'customers', position: 3 },
  listing: {
    filters: [{ kind: 'search', name: 'query', label: 'Name begins with' }],
    columns: (context) => [
      { label: 'Name', cell: ({ id, name }) => recordLink(context, 'tags', id, name) },
      { label: 'Colour', cell: ({ color }) => colourOf(color ?? null) },
      {
        label: 'Customers',
        cell: ({ id, name }) =>
          html`<a href="${context.path('customers')}?tag=${id}">Show them<span class="unseen"> with ${name}</span></a>`,
      },
    ],
    empty: 'No tags yet. A tag marks customers: VIP, Net 30, Gate code needed.',
    exported: ['id', 'name', 'color'],
  },
  nameOf: ({ name }) => name,
  fields: [textField({ name: 'name', label: 'Name', isRequired: true, help: 'Short, such as VIP' }), colourField()],
  actions: () => [
    {
      wire: 'tags_delete',
      label: 'Delete the tag',
      kind: 'danger',
      warns: "It is taken off every customer. This can't be undone.",
    },
  ],
  sheet: async (context, { id, color, usage_count }) => {
    const { rows } = await context.call('customers_search', { tag: id, limit: MAX_SHOWN })
    return html`
${facts([
  { label: 'Colour', value: colourOf(color) },
  { label: 'Customers', value: String(usage_count) },
])}
${part(
  'Customers with it',
  table({
    caption: 'Customers with it',
    isCaptionHidden: true,
    rows,
    empty: 'Nobody has it yet.',
    columns: [
      { label: 'Name', cell: ({ id, display_name }) => recordLink(context, 'customers', id, display_name) },
      { label: 'Phone', cell: ({ primary_phone }) => (primary_phone === undefined ? '–' : phone(primary_phone)) },
      { label: 'Status', cell: ({ status }) => state(status) },
    ],
  }),
  linkButton('All of them', `${context.path('customers')}?tag=${id}`, 'quiet'),
)}`
  },
})

const colourOf = (color: string | null): Html | string =>
  color === null ? 'None' : html`<span class="tag">${swatch(color)}${color}</span>`
