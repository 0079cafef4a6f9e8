import { button } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { listHeldConnections, liftBurstLimit, type HeldConnection } from '../../../approvals/hold.ts'
import { moment } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { isOwner } from '../settings_page.ts'

type HoldFilter = (one: HeldConnection) => boolean

/** Draws a notice that a connection is held because it removed too much, with a button for owners. */
export async function connectionHoldPart(
  context: MemberContext,
  action: string,
  filter: HoldFilter,
): Promise<Html | ''> {
  const [held] = (await context.read(listHeldConnections)).filter(filter)
  return when(
    held,
    ({ held_at }) => html`
${notice({
  kind: 'warning',
  title: say`Held since ${moment(held_at, context.company.timezone)}`,
  body: say`It removed a lot in a short time. Anything it removes now waits for approval.`,
})}${when(
      isOwner(context),
      () => html`
<form method="post" action="${action}">
  <p class="actions">${button({ label: say`Resume`, name: 'act', value: 'lift' })}</p>
</form>`,
    )}`,
  )
}

/** Lifts holds on connections. Owners only. */
export async function liftMatchingHolds(site: Site, context: MemberContext, filter: HoldFilter): Promise<void> {
  if (!isOwner(context)) throw notFoundRefusal()
  for (const { id } of (await context.read(listHeldConnections)).filter(filter))
    await liftBurstLimit(site.database, context.company.id, id, { user: context.user.id })
}
