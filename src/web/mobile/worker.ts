import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PushKind } from '../../messaging/push/kinds.ts'
import { assetAddress } from '../../platform/http/assets.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { languageOf, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { PRELOADED_SCRIPTS, ENTRY_SCRIPTS, STYLES, renderShell } from './page.ts'

const script = readFileSync(new URL('../../../public/mobile/work/field_worker.js', import.meta.url), 'utf8')

/**
 * Returns the service worker in the language of its page. It lists the files it caches by version, so that a phone
 * installs a new worker exactly when one of them has changed.
 */
export function showWorker(request: PageRequest): Response {
  const language = languageOf(request.req.query('in') ?? request.req.header('accept-language'))
  const names = [...STYLES, ...ENTRY_SCRIPTS, ...PRELOADED_SCRIPTS, 'icons.svg', 'icon.svg', 'inter.woff2']
  const keeps = names.map((name) => assetAddress(name))
  const shell = `/field/shell?in=${language}`
  const values = {
    shell,
    keeps,
    icon: assetAddress('field_192.png'),
    titles: withReader({ language, country: 'US' }, pushTitles),
  }
  const version = createHash('sha256')
    .update(JSON.stringify([script, values, renderShell(request).toString()]))
    .digest('base64url')
    .slice(0, 12)
  return new Response(`self.kept = ${JSON.stringify({ version, ...values })}\n${script}`, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'; script-src 'self'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
  })
}

/** Returns the titles of notifications, by kind. */
const pushTitles = (): Record<PushKind, string> => ({
  visits: say`Your visits changed`,
  messages: say`New message from a customer`,
  quotes: say`A quote was accepted`,
  late: say`A technician is running late`,
})
