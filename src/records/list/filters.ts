import { checkbox, field, hidden, select, type Option } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import type { EntityNameWith } from '../../tools/declare/results.ts'
import { shortDay } from '../format/formats.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Filter, Sorts } from '../page/screen.ts'

/** Returns the search box of a list: its first search filter. */
export const findSearchFilter = (filters: readonly Filter[]): (Filter & { kind: 'search' }) | undefined =>
  filters.find((filter) => filter.kind === 'search')

/** Returns the sort filter for phones, whose lists have no header to sort by. */
export const sortFilter = (sorts: Sorts): Filter => ({
  kind: 'choice',
  name: 'sort',
  label: say`Sort`,
  options: Object.entries(sorts).flatMap(([label, values]) =>
    values.map((value) => ({
      value,
      label: isDescending(value) ? say`${label}, descending` : say`${label}, ascending`,
    })),
  ),
})

export const isDescending = (sort: string): boolean => sort.endsWith('_desc')

/** Returns the name of a filter's input in the list tool. */
export const inputName = (filter: Filter): string =>
  filter.kind === 'search' ? (filter.input ?? filter.name) : filter.name

/** Renders the filters of a list except its search box, with their current values. */
export async function filterHtml(
  context: PageContext,
  filters: readonly Filter[],
  params: URLSearchParams,
): Promise<readonly Html[]> {
  const search = findSearchFilter(filters)
  const inputs = await Promise.all(
    filters
      .filter((filter) => filter !== search)
      .map((filter) => inputOf(context, filter, valueOf(params, filter), params)),
  )
  return inputs.filter((input): input is Html => input !== '')
}

const valueOf = (params: URLSearchParams, { name }: Filter): string => (params.get(name) ?? '').trim()

async function inputOf(
  context: PageContext,
  filter: Filter,
  value: string,
  params: URLSearchParams,
): Promise<Html | ''> {
  if (filter.kind === 'record' || filter.kind === 'subject') return ''
  const attributes = { name: filter.name, label: filter.label }
  switch (filter.kind) {
    case 'search':
      return field({ ...attributes, type: 'search', value })
    case 'number':
      return field({ ...attributes, keys: 'numeric', value })
    case 'day':
      return field({ ...attributes, type: 'date', value })
    case 'tick':
      return checkbox({ ...attributes, isChecked: value !== '' })
    case 'choice':
      return filter.fixedBy !== undefined && params.has(filter.fixedBy)
        ? hidden(filter.name, value)
        : select({
            ...attributes,
            chosen: value,
            none: sayFor('filter')`All`,
            options: await optionsOf(context, filter),
          })
  }
}

const optionsOf = async (context: PageContext, { options }: Filter & { kind: 'choice' }): Promise<readonly Option[]> =>
  typeof options === 'function' ? options(context) : options.map(({ value, label }) => ({ value, label: label }))

/** Active filter of a list: its name, its label and an optional link. */
type Chip = { name: string; label: string; href?: string | undefined }

/** Returns the active filters except the search box. A missing record only gets a generic label. */
export async function chipsOf(
  context: PageContext,
  filters: readonly Filter[],
  params: URLSearchParams,
): Promise<Chip[]> {
  const search = findSearchFilter(filters)
  const active = filters.filter((filter) => filter !== search && valueOf(params, filter) !== '')
  const chips = await Promise.all(active.map((filter) => chipOf(context, filter, valueOf(params, filter), params)))
  return chips.filter((chip) => chip !== undefined)
}

async function chipOf(
  context: PageContext,
  filter: Filter,
  value: string,
  params: URLSearchParams,
): Promise<Chip | undefined> {
  const { name } = filter
  switch (filter.kind) {
    case 'search':
    case 'number':
      return { name, label: say`${filter.label}: ${value}` }
    case 'day':
      return { name, label: say`${filter.label}: ${DAY.test(value) ? shortDay(value) : value}` }
    case 'tick':
      return { name, label: filter.label }
    case 'choice': {
      if (filter.fixedBy !== undefined && params.has(filter.fixedBy)) return undefined
      const chosen = (await optionsOf(context, filter)).find((option) => option.value === value)
      return { name, label: say`${filter.label}: ${chosen?.label ?? value}` }
    }
    case 'record':
      return recordChip(context, name, filter.of, value)
    case 'subject':
      return recordChip(context, name, filter.of(params), value)
  }
}

const DAY = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/

async function recordChip(
  context: PageContext,
  name: string,
  entity: EntityNameWith<'get'> | undefined,
  id: string,
): Promise<Chip> {
  const unnamed = { name, label: say`One record` }
  if (entity === undefined) return unnamed
  const record: Readonly<Record<string, unknown>> | null = await context
    .call(`${entity}_get`, { id })
    .catch(ifRefused(null))
  return record === null ? unnamed : { name, label: nameIn(record) ?? unnamed.label, href: context.path(entity, id) }
}

const nameIn = (record: Readonly<Record<string, unknown>>): string | undefined =>
  [['display_name', 'display_number', 'title', 'name'], ['first_name', 'last_name'], ['address_line1']]
    .map((names) =>
      names
        .map((name) => record[name])
        .filter((part) => typeof part === 'string')
        .join(' '),
    )
    .find((text) => text !== '')

/** Renders chips, each with a link that removes it. */
export const chipsHtml = (chips: readonly Chip[], pathWithout: (name: string) => string): Html | '' =>
  chips.length === 0
    ? ''
    : html`
<ul class="chips" aria-label="${say`Narrowed to`}">${chips.map(
        ({ name, label, href }) => html`
  <li class="chip">${
    href === undefined ? label : html`<a href="${href}">${label}</a>`
  }<a class="chip-off" href="${pathWithout(name)}" aria-label="${say`Remove ${label}`}"></a></li>`,
      )}
</ul>`
