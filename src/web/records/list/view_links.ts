import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { PageContext } from '../../../records/page/page_context.ts'
import { MAX_NAME, filtersOf, filtersToSave, type SavedView } from '../../../records/list/saved_views.ts'
import type { Screen } from '../../../records/page/screen.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../../member_context.ts'

export const todayOf = ({ company }: PageContext): string => todayIn(company.timezone).toString()

/** Returns the address of a list with these filters. */
export const viewAddress = (context: PageContext, { entity }: Screen, query: URLSearchParams): string =>
  `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`

export type ShownViews = {
  views: readonly SavedView[]
  asked: URLSearchParams
  isBuiltIn: boolean
  /** True where the filters were refused, which nobody should save. */
  isRefused: boolean
}

/** Draws the links to saved views, the present one marked. */
export const savedLinks = (
  context: PageContext,
  screen: Screen,
  { views, asked }: Pick<ShownViews, 'views' | 'asked'>,
): Html =>
  html`${views.map((view) => {
    const filters = filtersOf(view, todayOf(context))
    return html`
    <a class="button quiet"
      href="${viewAddress(context, screen, filters)}"${when(
        isSame(filters, asked),
        () => html` aria-current="true"`,
      )}>${view.name}</a>`
  })}`

/** Draws the way to save what is shown, or to change the saved view that is shown. */
export function viewForm(
  context: MemberContext,
  screen: Screen,
  { views, asked, isBuiltIn, isRefused }: ShownViews,
): Html | '' {
  const today = todayOf(context)
  const view = views.find((one) => isSame(filtersOf(one, today), asked))
  const list = context.path(screen.entity.name, 'views')
  const fields = (name: string, isShared: boolean): Html => html`
        <input type="hidden" name="asked" value="${asked.toString().slice(0, 2_000)}">
        <input name="name" value="${name}" maxlength="${MAX_NAME}" required autocomplete="off"
          aria-label="${say`Name of the view`}" placeholder="${say`Name of the view`}">
        <div class="tick"><label><input type="checkbox" name="shared"
          value="yes"${when(isShared, () => html` checked`)}><span>${say`Share with the company`}</span></label></div>
        <button class="button plain">${say`Save`}</button>`
  const remove = (id: string): Html => html`
      <form method="post" action="${list}/${id}"><button class="button danger" name="do" value="delete">${say`Delete view`}</button></form>`
  if (view !== undefined)
    return view.is_own || context.visitor.role === 'owner'
      ? html`
    <details class="more view-form"><summary class="button quiet">${say`Edit view`}</summary>
      <div>${when(
        view.is_own,
        () => html`<form method="post" action="${list}/${view.id}">${fields(view.name, view.is_shared)}</form>`,
      )}${remove(view.id)}</div>
    </details>`
      : ''
  if (isBuiltIn || isRefused || filtersToSave(screen.listing.filters(), asked, today).size === 0) return ''
  return html`
    <details class="more view-form"><summary class="button quiet">${say`Save view`}</summary>
      <div><form method="post" action="${list}">${fields('', false)}</form></div>
    </details>`
}

/** Checks whether two lists are narrowed and sorted alike. */
export const isSame = (one: URLSearchParams, other: URLSearchParams): boolean => filtersIn(one) === filtersIn(other)

const filtersIn = (asked: URLSearchParams): string =>
  [...asked]
    .filter(([name, value]) => value !== '' && name !== 'page' && name !== 'cursor')
    .map((pair) => pair.join('='))
    .sort()
    .join('&')
