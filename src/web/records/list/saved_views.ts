import { redirect } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { saveColumns } from '../../../records/list/columns.ts'
import {
  MAX_NAME_LENGTH,
  addView,
  changeView,
  filtersOf,
  filtersToSave,
  removeView,
} from '../../../records/list/saved_views.ts'
import type { Screen } from '../../../records/page/screen.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { requireReadAccess } from './lists.ts'
import { todayOf, viewAddress } from './view_links.ts'

/** Saves the list's current filters and sort order under a name, or its choice of columns. */
export async function saveView(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const form = await readFormFields(request.req.raw)
  const params = new URLSearchParams((form.get('asked') ?? '').slice(0, 2_000))
  if (form.get('do')?.endsWith('columns')) return chooseColumns(context, screen, params, form)
  const filters = filtersToSave(screen.listing.filters(), params, todayOf(context))
  const address = viewAddress(context, screen, filtersOf({ query: filters.toString() }, todayOf(context)))
  return redirectAfter(address, say`View saved`, () =>
    context.write((db) => addView(db, ownerOf(context, screen), readView(form), filters.toString())),
  )
}

/** Saves the checked columns that the list has. The reset button deletes the choice. */
function chooseColumns(
  context: MemberContext,
  screen: Screen,
  params: URLSearchParams,
  form: URLSearchParams,
): Promise<Response> {
  const checked = new Set(form.get('do') === 'columns' ? form.getAll('columns') : [])
  const names = screen.listing.columns(context).flatMap(({ name }) => (checked.has(name) ? [name] : []))
  return redirectAfter(viewAddress(context, screen, params), say`Columns saved`, () =>
    context.write(async (db) => void (await saveColumns(db, ownerOf(context, screen), names))),
  )
}

/** Renames, shares or deletes a view. */
export async function editView(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const id = request.req.param('view') ?? ''
  if (!isId(id)) throw notFoundRefusal()
  const form = await readFormFields(request.req.raw)
  const owner = ownerOf(context, screen)
  if (form.get('do') === 'delete')
    return redirectAfter(context.path(screen.entity.name), say`View deleted`, () =>
      context.write((db) => removeView(db, owner, id, context.session.role === 'owner')),
    )
  const params = new URLSearchParams((form.get('asked') ?? '').slice(0, 2_000))
  return redirectAfter(viewAddress(context, screen, params), say`View saved`, () =>
    context.write((db) => changeView(db, owner, id, readView(form))),
  )
}

const ownerOf = (context: MemberContext, { entity }: Screen) => ({ user: context.user.id, list: entity.name })

const readView = (form: URLSearchParams) => ({ name: form.get('name') ?? '', is_shared: form.has('shared') })

/** Redirects to the list with a success or error message. */
async function redirectAfter(address: string, sentence: string, work: () => Promise<void>): Promise<Response> {
  try {
    await work()
    return redirectWithMessage(address, { sentence })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return redirect(address)
    return redirectWithMessage(address, {
      sentence:
        error.code === 'conflict'
          ? say`This list already has the maximum number of saved views. Delete one first.`
          : say`Enter a name of up to ${MAX_NAME_LENGTH} characters.`,
    })
  }
}
