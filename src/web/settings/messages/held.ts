import { button } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { heldConnections, liftBrake, type HeldConnection } from '../../../approvals/hold.ts'
import { moment } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'
import { noPage } from '../../not_here.ts'
import type { Site } from '../../site.ts'
import { isOwner } from '../room.ts'

type Which = (one: HeldConnection) => boolean

/** Says that a connection is held since it removed too much, with the way on for an owner. */
export async function heldPart(context: MemberContext, action: string, which: Which): Promise<Html | ''> {
  const [held] = (await context.read(heldConnections)).filter(which)
  return when(
    held,
    ({ held_at }) => html`
${notice({
  kind: 'warning',
  title: say`Held since ${moment(held_at, context.company.timezone)}`,
  body: say`It removed much in a short time. What it removes now waits for approval.`,
})}${when(
      isOwner(context),
      () => html`
<form method="post" action="${action}"><p class="actions">${button({ label: say`Let it go on`, name: 'act', value: 'lift' })}</p></form>`,
    )}`,
  )
}

/** Lets connections go on, as an owner decides. */
export async function liftIn(site: Site, context: MemberContext, which: Which): Promise<void> {
  if (!isOwner(context)) throw noPage()
  for (const { id } of (await context.read(heldConnections)).filter(which))
    await liftBrake(site.database, context.company.id, id, { user: context.user.id })
}
