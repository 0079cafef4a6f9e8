import { pageResponse } from '../../platform/http/answer.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { FormValues } from '../../records/fields/form_field.ts'
import type { Screen } from '../../records/page/screen.ts'
import { isId } from '../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { requireWriteAccess } from './list/lists.ts'

const MERGE_PREFIX = 'merge.'

/** Answers the possible duplicates of the record being typed, as a page fragment. */
export async function showDuplicates(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context, screen)
  return pageResponse(html`${await duplicatesPart(context, screen, new URL(request.req.url).searchParams)}`)
}

/** Draws the possible duplicates of the record being typed. */
export async function duplicatesPart(
  context: MemberContext,
  { duplicateCheck: check, entity }: Screen,
  values: FormValues,
): Promise<Html | ''> {
  if (check === undefined) return ''
  const rows = await check.find(context, values)
  const canMerge = (id: string): boolean => check.mergePath(context, id, id) !== undefined
  return html`
<div id="alike" role="status" data-source="${context.path(entity.name, 'alike')}"
  data-fields="${check.fields.join(' ')}">${when(
    rows.length > 0,
    () => html`
  <div class="notice warning alike">
    <p class="notice-title">${say`Already a customer?`}</p>
    <ul>${rows.map(
      ({ id, name, describedBy }) => html`
      <li><span><b>${name}</b><br>${describedBy}</span><a class="button plain"
        href="${context.path(entity.name, id)}">${say`Open customer`}<span class="unseen"> ${name}</span></a>${when(
          canMerge(id),
          () =>
            html`<button class="button quiet" name="then" value="${MERGE_PREFIX}${id}">${say`Create and merge`}<span class="unseen"> ${name}</span></button>`,
        )}</li>`,
    )}
    </ul>
  </div>`,
  )}
</div>`
}

/** Returns the page that merges a new record with the duplicate chosen on its form. */
export function mergePage(context: MemberContext, { duplicateCheck: check }: Screen, then: string | null, id: string) {
  const other = then?.startsWith(MERGE_PREFIX) === true ? then.slice(MERGE_PREFIX.length) : ''
  return isId(other) ? check?.mergePath(context, id, other) : undefined
}

/** Returns a link to merge a new record with its first possible duplicate, if any. */
export async function mergeOffer(
  context: MemberContext,
  { duplicateCheck: check }: Screen,
  values: FormValues,
  id: string,
) {
  const [other] = (await check?.find(context, values, id)) ?? []
  const href = other === undefined ? undefined : check?.mergePath(context, id, other.id)
  return href === undefined ? undefined : { label: say`Merge with ${other!.name}`, href }
}
