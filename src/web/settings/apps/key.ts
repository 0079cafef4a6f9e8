import { GRANT_LEVELS, grantLevelsOf, levelsOf, proposesOf } from '../../../identity/permissions/areas.ts'
import { setKeyProposes, type Key } from '../../../identity/credentials/keys.ts'
import { hasLiftedProposals } from '../../../identity/permissions/scopes.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { notFound, type Refusal } from '../../../platform/errors/refusal.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { areaChoices, readGrantLevels } from './areas.ts'
import { connectionHoldPart, liftMatchingHolds } from '../messages/connection_hold.ts'
import { endKey, listVisibleKeys } from './keys.ts'
import { catchRefusal, settingsPath, settingsPage } from '../settings_page.ts'

/** Shows a key's rights, and the areas where it only proposes. */
export async function showKey(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  return page(context, await requireKey(site, context, request))
}

/** Changes where a key only proposes, lifts its hold, or revokes it. */
export async function saveKey(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const sent = await readFormFields(request.req.raw)
  const action = sent.get('act')
  if (action !== 'set' && action !== 'lift') return endKey(site, request)
  const key = await requireKey(site, context, request)
  const proposes = proposesOf(readGrantLevels(sent))
  if (action === 'lift' || hasLiftedProposals(key.proposes, key.scopes, proposes))
    await requireRecent(site, request, context.session, sent)
  return catchRefusal(
    async () => {
      if (action === 'lift') {
        await liftMatchingHolds(site, context, ({ id }) => id === key.id)
        return redirect(addressOf(context, key))
      }
      await setKeyProposes(site.database, { tenant: context.company.id }, key.id, proposes, { user: context.user.id })
      return redirectWithMessage(settingsPath(context, 'keys'), { sentence: say`The key was saved.` })
    },
    (refusal) => page(context, key, refusal),
  )
}

async function requireKey(site: Site, context: MemberContext, { req }: PageRequest): Promise<Key> {
  const key = (await listVisibleKeys(site, context)).find(
    ({ id, revoked_at }) => id === req.param('id') && revoked_at === null,
  )
  if (key === undefined) throw notFound('key')
  return key
}

const addressOf = (context: MemberContext, { id }: Key): string => context.path('settings', 'keys', id)

async function page(context: MemberContext, key: Key, refusal?: Refusal): Promise<Response> {
  const holdPart = await connectionHoldPart(context, addressOf(context, key), ({ id }) => id === key.id)
  const maxLevels = levelsOf(key.scopes)
  return settingsPage(
    context,
    'keys',
    key.name,
    html`${holdPart}
<section class="part">
  <h2>${key.name} <code>…${key.last_four}</code></h2>
  <form class="form" method="post" action="${addressOf(context, key)}">
    ${areaChoices(
      grantLevelsOf(key.scopes, key.proposes),
      maxLevels,
      GRANT_LEVELS.slice(2),
      (area) => maxLevels[area] === 'edit',
    )}
    <p class="help">${say`With Propose, changes wait until someone approves them.`}</p>
    <p class="actions">
      ${button({ label: say`Save`, kind: 'main', name: 'act', value: 'set' })}
      ${button({ label: say`Revoke`, kind: 'danger', name: 'act', value: 'revoke' })}
      ${linkButton(say`Cancel`, settingsPath(context, 'keys'), 'quiet')}
    </p>
  </form>
</section>`,
    refusal,
  )
}
