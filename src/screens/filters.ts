import { checkbox, field, select } from '../html/field.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { Refusal } from '../refusal.ts'
import type { Desk, Filter } from './screen.ts'

/** The filters above a list, as they were last set, and the way back to the whole list. */
export async function filterHtml(desk: Desk, filters: readonly Filter[], asked: URLSearchParams): Promise<Html> {
  const parts = await Promise.all(filters.map((filter) => one(desk, filter, (asked.get(filter.name) ?? '').trim())))
  return html`${parts}
  <p class="actions"><button class="button plain">Show</button></p>`
}

async function one(desk: Desk, filter: Filter, value: string): Promise<Html | ''> {
  switch (filter.kind) {
    case 'search': return field({ ...filter, type: 'search', value })
    case 'day': return field({ ...filter, type: 'date', value })
    case 'tick': return checkbox({ ...filter, isChecked: value !== '' })
    case 'choice': return select({
      name: filter.name, label: filter.label, chosen: value, none: 'All',
      options: typeof filter.options === 'function' ? await filter.options(desk) : filter.options,
    })
    case 'record': return value === '' ? '' : narrowedTo(desk, filter.of, value)
  }
}

/** Which record the list is narrowed to; one that isn't there is only left unnamed. */
async function narrowedTo(desk: Desk, entity: string, id: string): Promise<Html | ''> {
  try {
    const { display_name, display_number, title, name } = await desk.call(`${entity}_get`, { id })
    const called = [display_name, display_number, title, name].filter((part) => typeof part === 'string').join(' ')
    return html`<p class="narrowed">Of <a href="${desk.path(entity, id)}">${called}</a></p>`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ''
  }
}
