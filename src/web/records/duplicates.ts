import { answer } from '../../platform/http/answer.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { FormValues } from '../../records/fields/form_field.ts'
import type { Screen } from '../../records/page/screen.ts'
import { isId } from '../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { requireWriteAccess } from './list/lists.ts'

const MERGE = 'merge.'

/** Answers the possible duplicates of the record being typed, as a page fragment. */
export async function showDuplicates(site: Site, visit: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireWriteAccess(context, screen)
  return answer(html`${await duplicatesPart(context, screen, new URL(visit.req.url).searchParams)}`)
}

/** Draws the possible duplicates of the record being typed. */
export async function duplicatesPart(
  context: MemberContext,
  { duplicateCheck: alike, entity }: Screen,
  values: FormValues,
): Promise<Html | ''> {
  if (alike === undefined) return ''
  const rows = await alike.find(context, values)
  const merges = (id: string): boolean => alike.merge(context, id, id) !== undefined
  return html`
<div id="alike" role="status" data-source="${context.path(entity.name, 'alike')}"
  data-fields="${alike.fields.join(' ')}">${when(
    rows.length > 0,
    () => html`
  <div class="notice warning alike">
    <p class="notice-title">${say`Already a customer?`}</p>
    <ul>${rows.map(
      ({ id, name, describedBy }) => html`
      <li><span><b>${name}</b><br>${describedBy}</span><a class="button plain"
        href="${context.path(entity.name, id)}">${say`Open customer`}<span class="unseen"> ${name}</span></a>${when(
          merges(id),
          () =>
            html`<button class="button quiet" name="then" value="${MERGE}${id}">${say`Create and merge`}<span class="unseen"> ${name}</span></button>`,
        )}</li>`,
    )}
    </ul>
  </div>`,
  )}
</div>`
}

/** Returns the page that merges a new record with the duplicate chosen on its form. */
export function mergePage(context: MemberContext, { duplicateCheck: alike }: Screen, then: string | null, id: string) {
  const other = then?.startsWith(MERGE) === true ? then.slice(MERGE.length) : ''
  return isId(other) ? alike?.merge(context, id, other) : undefined
}

/** Returns a link to merge a new record with its first possible duplicate, if any. */
export async function mergeOffer(
  context: MemberContext,
  { duplicateCheck: alike }: Screen,
  values: FormValues,
  id: string,
) {
  const [other] = (await alike?.find(context, values, id)) ?? []
  const href = other === undefined ? undefined : alike?.merge(context, id, other.id)
  return href === undefined ? undefined : { label: say`Merge with ${other!.name}`, href }
}
