import { logoInfo, type Logo } from '../../../files/logo.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { MemberContext } from '../../member_context.ts'
import { settingsPath } from '../settings_page.ts'

/** Draws the logo with the form that changes it. */
export async function logoPart(context: MemberContext): Promise<Html> {
  const logo = await context.read(logoInfo)
  const there = settingsPath(context, 'company')
  return html`
<section class="part" id="logo">
  <header class="part-head"><h2>${say`Logo`}</h2></header>
  ${logo === undefined ? '' : logoHtml(context, logo)}
  <form class="form" method="post" enctype="multipart/form-data" action="${there}/logo">
    <div class="field"><label for="logo-file">${say`Choose a picture`}</label><input id="logo-file" name="logo" type="file" accept="image/png,image/jpeg" aria-describedby="logo-help">
      <p class="help" id="logo-help">
        ${say`PNG or JPEG, at most 512 kB. It appears at the top of quotes, invoices and work orders.`}
      </p>
      </div>
    <p class="actions">${button({ label: say`Upload` })}</p>
  </form>
</section>`
}

const logoHtml = (context: MemberContext, { id, width, height }: Omit<Logo, 'bytes'>): Html => html`
  <p><img class="company-logo" src="${context.path('logo', id)}" alt="${context.company.name}" width="${width}"
    height="${height}"></p>
  <form method="post" action="${settingsPath(context, 'company')}/logo/remove">
    ${button({ label: say`Remove`, kind: 'quiet' })}
  </form>`
