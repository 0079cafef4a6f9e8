import { deviceText } from '../../identity/security/device.ts'
import { listDevices, removeDevice, type PushDevice } from '../../messaging/push/device.ts'
import { kindsFor, type PushKind } from '../../messaging/push/kinds.ts'
import { button } from '../../platform/html/parts/button.ts'
import { checkboxes, hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { isId } from '../../platform/validation/id.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { settingsPage, settingsPath } from './settings_page.ts'

/** Shows a person's notification settings in this browser, and their other browsers. */
export async function showNotifications(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const devices = await context.read((db) => listDevices(db, context.user.id))
  return settingsPage(
    context,
    'notifications',
    say`Notifications`,
    html`
${part(say`Notifications`, site.pushKey === null ? offText() : pushForm(context, site.pushKey))}${when(
      devices.length > 0,
      () => part(say`Your browsers`, deviceTable(context, devices)),
    )}`,
  )
}

/** Stops the notifications of one browser. */
export async function removeNotifications(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const id = (await readFormFields(request.req.raw)).get('device') ?? ''
  if (isId(id)) await context.write((db) => removeDevice(db, context.user.id, { id }))
  return redirectWithMessage(settingsPath(context, 'notifications'), { sentence: say`Removed` })
}

const offText = (): Html =>
  html`<p>${say`Notifications are off for this service. Its administrator can turn them on.`}</p>`

/** Returns the attributes that tell the script whose notifications these are. */
export const pushAttributes = ({ company, user }: MemberContext, key: string): Html =>
  html`data-push-key="${key}" data-company="${company.id}" data-user="${user.id}"`

const pushForm = (context: MemberContext, key: string): Html => {
  const kinds = kindsFor(context.caller)
  return html`
  <form class="form" ${pushAttributes(context, key)} data-save="${say`Save`}">
    <p>${say`Get a notification in this browser, even when no page of Callout is open.`}</p>
    ${Object.entries(problems()).map(
      ([name, text]) => html`
    <p class="notice warning" role="status" data-problem="${name}" hidden>${text}</p>`,
    )}
    <noscript>
      <p class="notice warning">${say`Notifications need JavaScript, which is off in this browser.`}</p>
    </noscript>
    <div class="push-choice" hidden>
    ${checkboxes({
      name: 'kinds',
      label: say`Notify me of`,
      options: kinds.map((value) => ({ value, label: kindLabels()[value] })),
      chosen: kinds,
    })}
    <p class="actions">${button({ label: say`Turn on`, kind: 'main' })}
      ${button({ label: say`Turn off`, name: 'off', value: 'yes' })}</p>
    </div>
  </form>`
}

const problems = (): Record<string, string> => ({
  blocked: say`Notifications are blocked in this browser. Allow them in its settings for this site.`,
  not_installed: say`On iPhone and iPad, first put My visits on your home screen, and turn notifications on there.`,
  unsupported: say`This browser doesn’t support notifications. Try another one, or an https connection.`,
  failed: say`This couldn’t be changed. Try again with a connection.`,
})

const kindLabels = (): Record<PushKind, string> => ({
  visits: say`My visits: new, moved, changed or canceled`,
  messages: say`New messages from customers`,
  quotes: say`Accepted quotes`,
  late: say`Technicians who run late`,
})

const deviceTable = (context: MemberContext, devices: readonly PushDevice[]): Html =>
  table<PushDevice>({
    caption: say`Your browsers`,
    isCaptionHidden: true,
    rows: devices,
    empty: '',
    columns: [
      {
        label: say`Browser`,
        cell: ({ device, kinds }) =>
          html`${device === null ? say`Unknown browser` : deviceText(device)}<span class="help">${kinds
            .map((kind) => kindLabels()[kind])
            .join(' · ')}</span>`,
      },
      { label: say`Since`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
      {
        label: say`Remove`,
        cell: ({ id }) =>
          html`<form method="post" action="${settingsPath(context, 'notifications')}">${hidden('device', id)}${button({
            label: say`Remove`,
          })}</form>`,
      },
    ],
  })
