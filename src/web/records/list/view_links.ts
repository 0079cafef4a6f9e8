import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { checkboxes, hidden } from '../../../platform/html/parts/field.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { PageContext } from '../../../records/page/page_context.ts'
import { visibleColumns } from '../../../records/list/columns.ts'
import { MAX_NAME_LENGTH, filtersOf, filtersToSave, type SavedView } from '../../../records/list/saved_views.ts'
import type { Screen } from '../../../records/page/screen.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../../member_context.ts'

export const todayOf = ({ company }: PageContext): string => todayIn(company.timezone).toString()

/** Returns the URL of a list with these filters. */
export const viewAddress = (context: PageContext, { entity }: Screen, query: URLSearchParams): string =>
  `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`

export type ListViews = {
  views: readonly SavedView[]
  params: URLSearchParams
  isBuiltIn: boolean
  /** True if the filters were refused. Such a view can't be saved. */
  isRefused: boolean
  /** Names of the columns this person chose. */
  columns: readonly string[]
}

/** Draws the links to saved views, the current one marked. */
export const savedLinks = (
  context: PageContext,
  screen: Screen,
  { views, params }: Pick<ListViews, 'views' | 'params'>,
): Html =>
  html`${views.map((view) => {
    const filters = filtersOf(view, todayOf(context))
    return html`
    <a class="button quiet"
      href="${viewAddress(context, screen, filters)}"${attribute('aria-current', isSameQuery(filters, params), 'true')}
        >${view.name}</a>`
  })}`

/** Draws the menu that saves or edits the current view and chooses the list's columns. */
export const viewMenu = (context: MemberContext, screen: Screen, view: ListViews): Html => html`
    <details class="more view-form"><summary class="button quiet">${say`List view`}</summary>
      <div>${viewForms(context, screen, view)}${columnsForm(context, screen, view)}</div>
    </details>`

function viewForms(
  context: MemberContext,
  screen: Screen,
  { views, params, isBuiltIn, isRefused }: ListViews,
): Html | '' {
  const today = todayOf(context)
  const view = views.find((one) => isSameQuery(filtersOf(one, today), params))
  const list = context.path(screen.entity.name, 'views')
  const form = (action: string, label: string, name: string, isShared: boolean): Html => html`
      <form method="post" action="${action}">${queryField(params)}
        <input name="name" value="${name}" maxlength="${MAX_NAME_LENGTH}" required autocomplete="off"
          aria-label="${say`Name of the view`}" placeholder="${say`Name of the view`}">
        <div class="tick"><label><input type="checkbox" name="shared"
          value="yes"${attribute('checked', isShared)}><span>${say`Share with the company`}</span></label></div>
        <button class="button plain">${label}</button></form>`
  if (view !== undefined)
    return view.is_own || context.session.role === 'owner'
      ? html`${when(view.is_own, () => form(`${list}/${view.id}`, say`Change view`, view.name, view.is_shared))}
      <form method="post" action="${list}/${view.id}"><button class="button danger" name="do"
        value="delete">${say`Delete view`}</button></form>`
      : ''
  return when(!isBuiltIn && !isRefused && filtersToSave(screen.listing.filters(), params, today).size > 0, () =>
    form(list, say`Save view`, '', false),
  )
}

/** Draws the choice of columns. The first column names the record and always stays. */
function columnsForm(context: PageContext, screen: Screen, { params, columns: chosen }: ListViews): Html {
  const columns = screen.listing.columns(context)
  const [first, ...others] = columns
  return html`
      <form method="post" action="${context.path(screen.entity.name, 'views')}">
        ${queryField(params)}${when(first, ({ name }) => hidden('columns', name))}${checkboxes({
          name: 'columns',
          label: say`Columns`,
          options: others.map(({ name, label }) => ({ value: name, label })),
          chosen: visibleColumns(columns, chosen).map(({ name }) => name),
        })}
        <div class="actions"><button class="button plain" name="do" value="columns">${say`Choose columns`}</button>${when(
          chosen.length > 0,
          () => html`<button class="button quiet" name="do" value="default_columns">${say`Default columns`}</button>`,
        )}</div></form>`
}

const queryField = (params: URLSearchParams): Html => hidden('asked', params.toString().slice(0, 2_000))

/** Checks whether two lists have the same filters and sort order. */
export const isSameQuery = (one: URLSearchParams, other: URLSearchParams): boolean =>
  canonicalFilters(one) === canonicalFilters(other)

const canonicalFilters = (params: URLSearchParams): string =>
  [...params]
    .filter(([name, value]) => value !== '' && name !== 'page' && name !== 'cursor')
    .map((pair) => pair.join('='))
    .sort()
    .join('&')
