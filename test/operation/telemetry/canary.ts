import type { startMonitoredService } from '../../harness/monitored_service.ts'

/** Part of everything that is sent. No log line, span or metric may contain it, in upper or lower case. */
export const CANARY = 'Canary7f3e'
export const PASSWORD = `${CANARY} correct horse`
export const SECRETS = {
  payments: `whsec_${CANARY}_payments_0123456789`,
  sms: `${CANARY}sms0123456789abcdef`,
  email: `whsec_${Buffer.from(`${CANARY} of mail, 32 bytes`).toString('base64')}`,
}

export type Watched = Awaited<ReturnType<typeof startMonitoredService>>

/** Secrets that must not appear anywhere, besides the canary: keys, tokens, cookies, codes. */
export const hidden: string[] = [SECRETS.email.slice('whsec_'.length)]

/** Returns excerpts of a text around each secret. */
export function findSecrets(text: string): string[] {
  const folded = text.toLowerCase()
  return [CANARY.toLowerCase(), ...hidden.filter((one) => one !== 'none-yet').map((one) => one.toLowerCase())].flatMap(
    (one) => {
      const at = folded.indexOf(one)
      return at < 0 ? [] : [text.slice(Math.max(0, at - 200), at + 60)]
    },
  )
}
