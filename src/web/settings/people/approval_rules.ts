import { AREAS, TOOL_AREAS, proposesOf } from '../../../identity/permissions/areas.ts'
import { areaName } from '../../../identity/permissions/names.ts'
import { findApprovalRules, parseLimitAmount, setApprovalRules } from '../../../identity/companies/approval.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { checkbox, checkboxes, field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { decimalText, digitsOf } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireRecentOwner, settingsPage } from '../settings_page.ts'

/** Draws the company's approval rules for writes by keys and apps. */
export async function approvalRulesPart(site: Site, context: MemberContext): Promise<Html> {
  const rules = await findApprovalRules(site.database, context.company.id)
  return part(
    say`Approval rules for keys and apps`,
    html`
  <form class="form" method="post" action="${settingsPath(context, 'removals')}">
    ${checkboxes({
      name: 'all_propose',
      label: say`Everything in these areas waits for approval`,
      options: TOOL_AREAS.map((area) => ({ value: area, label: areaName(area).name })),
      chosen: TOOL_AREAS.filter((area) =>
        AREAS[area].every((subject) => rules.all_propose.includes(`write:${subject}`)),
      ),
    })}
    ${checkbox({
      name: 'destructive_proposes',
      label: say`Deletions wait for approval`,
      help: say`Archiving, deleting, canceling, voiding and ending, by every key and app`,
      isChecked: rules.destructive_proposes,
    })}
    ${checkbox({
      name: 'write_offs_propose',
      label: say`Write-offs and voided invoices wait for approval`,
      isChecked: rules.write_offs_propose,
    })}
    ${field({
      name: 'proposes_above',
      label: say`Amounts above this wait for approval`,
      help: say`Invoices, quotes, plans and jobs above this total. Leave empty for any amount`,
      value:
        rules.proposes_above_cents === null
          ? ''
          : decimalText(rules.proposes_above_cents, digitsOf(context.company.currency)),
      keys: 'decimal',
    })}
    ${field({
      name: 'burst_limit',
      label: say`Hold after this many in ten minutes`,
      help: say`An app that removes more than this waits for approval from then on. 0 means no limit`,
      value: String(rules.burst_limit),
      keys: 'numeric',
    })}
    ${checkbox({
      name: 'burst_limits_keys',
      label: say`Hold API keys too`,
      help: say`Keys that propose are always held. Others belong to your own programs.`,
      isChecked: rules.burst_limits_keys,
    })}
    <p class="actions">${button({ label: say`Save`, kind: 'main' })}</p>
  </form>`,
  )
}

export async function saveApprovalRules(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      await setApprovalRules(
        site.database,
        context.company.id,
        {
          destructive_proposes: sent.has('destructive_proposes'),
          burst_limit: sent.get('burst_limit') ?? '',
          burst_limits_keys: sent.has('burst_limits_keys'),
          all_propose: proposesOf(
            Object.fromEntries(sent.getAll('all_propose').map((area) => [area, 'propose' as const])),
          ),
          write_offs_propose: sent.has('write_offs_propose'),
          proposes_above_cents: parseLimitAmount(sent.get('proposes_above') ?? '', context.company.currency),
        },
        { user: context.user.id },
      )
      return redirectWithMessage(settingsPath(context, 'apps'), { sentence: say`The rules were saved.` })
    },
    async (refusal) =>
      settingsPage(context, 'apps', say`Connected apps`, await approvalRulesPart(site, context), refusal),
  )
}
