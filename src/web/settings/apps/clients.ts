import { levelsOf, scopesUnder, type Ceiling } from '../../../identity/permissions/areas.ts'
import { createClient, listClients, removeClient, type Client } from '../../../identity/credentials/clients/clients.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { invalid, notFound, type Refusal } from '../../../platform/errors/refusal.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { areaChoices, readAreas } from './areas.ts'
import { catchRefusal, settingsPath, requireOwner, requireRecentOwner, settingsPage } from '../settings_page.ts'
import { refusals } from '../../refusals.ts'

export async function showClients(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireOwner(site, request))
}

/** Creates a confidential client of this company. Its secret is shown once. */
export async function makeClient(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const scopes = [...scopesUnder(readAreas(sent) as Ceiling)]
      if (scopes.length === 0) throw invalid(refusals.noAreas())
      const client = await createClient(
        site.database,
        {
          name: sent.get('name') ?? '',
          redirect_uris: (sent.get('redirect_uris') ?? '').split(/\s+/).filter((uri) => uri !== ''),
          allow_list: scopes,
          tenant: context.company.id,
        },
        { user: context.user.id },
      )
      return page(site, context, { banner: secretNotice(client) })
    },
    (refusal) => page(site, context, { refusal, sent }),
  )
}

export async function endClient(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return catchRefusal(
    async () => {
      const client = (await listClients(site.database, context.company.id)).find(
        ({ id }) => id === request.req.param('id'),
      )
      if (client === undefined) throw notFound('client')
      await removeClient(site.database, client.id, { user: context.user.id }, context.company.id)
      return redirect(settingsPath(context, 'clients'))
    },
    (refusal) => page(site, context, { refusal }),
  )
}

const secretNotice = ({ id, name, secret }: Client & { secret: string }): Html =>
  notice({
    kind: 'good',
    title: say`OAuth client created: ${name}`,
    body: html`${say`Copy the secret now. You won't see it again.`}<br>${say`Client ID`} ${copyable(
      id,
    )}<br>${say`Client secret`} ${copyable(secret)}`,
  })

type PageState = { banner?: Html; refusal?: Refusal; sent?: URLSearchParams }

async function page(
  site: Site,
  context: MemberContext,
  { banner, refusal, sent = new URLSearchParams() }: PageState = {},
): Promise<Response> {
  const clients = await listClients(site.database, context.company.id)
  return settingsPage(
    context,
    'clients',
    say`OAuth clients`,
    html`
<p class="lead">${say`Register a server of your own that can keep a secret. Assistants register themselves and need nothing from this page.`}</p>
${banner ?? ''}
${table<Client>({
  caption: say`OAuth clients`,
  isCaptionHidden: true,
  rows: clients,
  empty: say`No OAuth clients yet.`,
  columns: [
    { label: say`Name`, cell: ({ name }) => name },
    { label: say`Client ID`, cell: ({ id }) => html`<code>${id}</code>` },
    { label: say`Redirect URIs`, cell: ({ redirect_uris }) => redirect_uris.join(' ') },
    { label: say`Since`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
    {
      label: say`Remove`,
      cell: ({ id }) =>
        html`<form method="post" action="${context.path('settings', 'clients', id)}">${button({
          label: say`Remove`,
          kind: 'danger',
        })}</form>`,
    },
  ],
})}
${part(
  say`New OAuth client`,
  html`
  <form class="form" method="post" action="${settingsPath(context, 'clients')}">
    ${field({
      name: 'name',
      label: say`Name`,
      help: say`Members see it when they are asked to approve`,
      isRequired: true,
      value: sent.get('name') ?? '',
    })}
    ${textArea({
      name: 'redirect_uris',
      label: say`Redirect URIs`,
      help: say`One per line, exactly as the client sends it`,
      isRequired: true,
      rows: 2,
      value: sent.get('redirect_uris') ?? '',
    })}
    <h3>${say`Maximum access`}</h3>
    ${areaChoices({ ...levelsOf([]), ...readAreas(sent) }, { Messages: 'none' })}
    <p class="actions">${button({ label: say`Create client`, kind: 'main' })}</p>
  </form>`,
)}`,
    refusal,
  )
}
