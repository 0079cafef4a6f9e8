import { checkbox, field, hidden, select } from '../html/field.ts'
import { html, when, type Html } from '../html/html.ts'
import { Refusal } from '../refusal.ts'
import type { WiredTo } from '../tools/results.ts'
import type { PageContext } from './page_context.ts'
import type { Filter } from './screen.ts'

/** Draws the filters above a list, as they were last set, and the link to the whole list. */
export async function filterHtml(
  context: PageContext,
  filters: readonly Filter[],
  asked: URLSearchParams,
): Promise<Html> {
  const parts = await Promise.all(
    filters.map((filter) => one(context, filter, (asked.get(filter.name) ?? '').trim(), asked)),
  )
  return html`${parts}${when(
    filters.every(({ kind }) => kind !== 'record'),
    () => html`
  <p class="actions"><button class="button plain">Show</button></p>`,
  )}`
}

async function one(context: PageContext, filter: Filter, value: string, asked: URLSearchParams): Promise<Html | ''> {
  switch (filter.kind) {
    case 'search':
      return field({ ...filter, type: 'search', value })
    case 'number':
      return field({ ...filter, keys: 'numeric', value })
    case 'day':
      return field({ ...filter, type: 'date', value })
    case 'tick':
      return checkbox({ ...filter, isChecked: value !== '' })
    case 'choice':
      return filter.fixedBy !== undefined && asked.has(filter.fixedBy)
        ? hidden(filter.name, value)
        : select({
            name: filter.name,
            label: filter.label,
            chosen: value,
            none: 'All',
            options: typeof filter.options === 'function' ? await filter.options(context) : filter.options,
          })
    case 'record':
      return value === '' ? '' : narrowedTo(context, filter.of, value)
    case 'subject':
      return value === ''
        ? ''
        : html`${hidden(filter.name, value)}${await narrowedTo(context, filter.of(asked), value)}`
  }
}

/** Returns which record the list is narrowed to; a missing one is only left unnamed. */
async function narrowedTo(context: PageContext, entity: WiredTo<'get'> | undefined, id: string): Promise<Html | ''> {
  if (entity === undefined) return ''
  try {
    const record: Readonly<Record<string, unknown>> = await context.call(`${entity}_get`, { id })
    const called = [['display_name', 'display_number', 'title', 'name'], ['first_name', 'last_name'], ['address_line1']]
      .map((names) =>
        names
          .map((name) => record[name])
          .filter((part) => typeof part === 'string')
          .join(' '),
      )
      .find((text) => text !== '')
    return html`<p class="narrowed">Of <a href="${context.path(entity, id)}">${called ?? 'one record'}</a></p>`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ''
  }
}
