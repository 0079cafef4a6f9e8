import { findRemovalRules, setRemovalRules } from '../../../identity/companies/approval.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { checkbox, field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireOwner, settingsPage } from '../settings_page.ts'

/** Draws the company's rules for what keys and apps remove. */
export async function removalRulesPart(site: Site, context: MemberContext): Promise<Html> {
  const rules = await findRemovalRules(site.database, context.company.id)
  return part(
    say`Deletions by keys and apps`,
    html`
  <form class="form" method="post" action="${settingsPath(context, 'removals')}">
    ${checkbox({
      name: 'destructive_proposes',
      label: say`Wait for approval`,
      help: say`Archiving, deleting, canceling, voiding and ending, by every key and app`,
      isChecked: rules.destructive_proposes,
    })}
    ${field({
      name: 'burst_limit',
      label: say`Hold after this many in ten minutes`,
      help: say`An app that removes more waits for approval from then on. 0: any number`,
      value: String(rules.burst_limit),
      keys: 'numeric',
    })}
    ${checkbox({
      name: 'burst_limits_keys',
      label: say`Hold API keys too`,
      help: say`Keys that propose are always held. Others belong to programs of your own.`,
      isChecked: rules.burst_limits_keys,
    })}
    <p class="actions">${button({ label: say`Save`, kind: 'main' })}</p>
  </form>`,
  )
}

export async function saveRemovalRules(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  await requireRecent(site, visit, context.visitor)
  const sent = await readFormFields(visit.req.raw)
  return catchRefusal(
    async () => {
      await setRemovalRules(
        site.database,
        context.company.id,
        {
          destructive_proposes: sent.has('destructive_proposes'),
          burst_limit: sent.get('burst_limit') ?? '',
          burst_limits_keys: sent.has('burst_limits_keys'),
        },
        { user: context.user.id },
      )
      return redirectWithMessage(settingsPath(context, 'apps'), { sentence: say`The rules were saved.` })
    },
    async (refusal) =>
      settingsPage(context, 'apps', say`Connected apps`, await removalRulesPart(site, context), refusal),
  )
}
