import { say, sayCount } from '../../platform/i18n/say.ts'

/** Reason why authentication failed, and the seconds to wait after too many attempts. */
export type SignInProblem = { problem: { title: string; body: string }; wait?: number }

export const tooManyTries = (wait: number): Required<SignInProblem> => ({
  problem: { title: say`Too many attempts`, body: waitText(wait) },
  wait,
})

const waitText = (seconds: number): string =>
  sayCount(Math.max(1, Math.ceil(seconds / 60)), 'Wait a minute, then try again.', 'Wait {0} minutes, then try again.')

export const wrongSecretProblem = (what: 'password' | 'code'): SignInProblem => ({
  problem:
    what === 'password'
      ? { title: say`Incorrect password`, body: say`Check it and try again.` }
      : { title: say`Incorrect code`, body: say`Each code works once. Wait for the next one and try again.` },
})

/** Returns the problem of a code that can't be checked because the key for the app's secret is missing. */
export const sealedAppProblem = (): SignInProblem => ({
  problem: {
    title: say`Codes from your app can't be checked right now`,
    body: say`The key that encrypts its secret is missing here. Use a recovery code or a passkey, and tell this service’s administrator.`,
  },
})

/** Returns the problem of a rejected passkey. */
export const passkeyProblem = (kind: 'unknown' | 'late' | 'wrong'): SignInProblem => ({
  problem: PASSKEY_PROBLEMS[kind](),
})

const PASSKEY_PROBLEMS = {
  unknown: () => ({
    title: say`Unknown passkey`,
    body: say`It was removed, or belongs to another account. Remove it from this device and sign in another way.`,
  }),
  late: () => ({ title: say`That took too long`, body: say`A passkey has five minutes. Try again.` }),
  wrong: () => ({
    title: say`The passkey could not be checked`,
    body: say`Use one that asks for your fingerprint, face or PIN, at this address. Or sign in another way.`,
  }),
}
