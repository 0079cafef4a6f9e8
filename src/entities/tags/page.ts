import { facts } from '../../html/facts.ts'
import { html } from '../../html/html.ts'
import { textField } from '../../screens/fields.ts'
import { recordLink } from '../../screens/links.ts'
import { screen } from '../../screens/screen.ts'
import type { Tag, TagRow } from './tag.ts'
import { tags } from './tools.ts'

export const tagScreen = screen<Tag & { usage_count: number }, TagRow>({
  entity: tags, title: 'Tags', one: 'tag',
  listing: {
    filters: [{ kind: 'search', name: 'query', label: 'Name begins with' }],
    columns: (desk) => [
      { label: 'Name', cell: ({ id, name }) => recordLink(desk, 'tags', id, name) },
      { label: 'Color', cell: ({ color }) => color ?? 'None' },
    ],
    empty: 'No tags yet. A tag marks customers: VIP, Net 30, Gate code needed.',
  },
  nameOf: ({ name }) => name,
  fields: [
    textField({ name: 'name', label: 'Name', isRequired: true }),
    textField({ name: 'color', label: 'Color', help: 'Such as #1F6F4A' }),
  ],
  deeds: () => [{ wire: 'tags_delete', label: 'Delete the tag', kind: 'danger', warns: 'It is taken off every customer. This can\'t be undone.' }],
  sheet: async (desk, { id, color, usage_count }) => html`
${facts([
    { label: 'Color', value: color ?? 'None' },
    { label: 'Customers', value: html`<a href="${desk.path('customers')}?tag=${id}">${usage_count}</a>` },
  ])}`,
})
