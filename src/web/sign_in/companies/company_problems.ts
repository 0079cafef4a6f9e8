import type { CompanyProviderClient } from '../../../identity/providers/company/company_provider_client.ts'
import type { CompanyRefusal } from '../../../identity/providers/company/company_sign_in.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { CompanyProblem } from './company_page.ts'

export const tooManyAttempts = () => ({ title: say`Too many attempts`, body: say`Wait a few minutes, then try again.` })

export const timeoutProblem = (): CompanyProblem => ({
  title: say`This sign-in took too long`,
  body: say`Nothing was done. Sign in again.`,
  status: 400,
})

export const unavailableProblem = ({ name }: CompanyProviderClient): CompanyProblem => ({
  title: say`${name} does not answer`,
  body: say`Nothing was done. Try again in a moment. If it happens again, tell an owner of your company.`,
  status: 503,
})

export const notSignedInProblem = ({ name }: CompanyProviderClient): CompanyProblem => ({
  title: say`${name} did not sign you in`,
  body: say`Nothing was done. Try again.`,
  status: 422,
})

/** Problem to show for each reason why sign-in failed. */
export const REFUSAL_PROBLEMS: Readonly<Record<CompanyRefusal, (email: string) => CompanyProblem>> = {
  ended: timeoutProblem,
  off: () => ({
    title: say`This way to sign in is turned off`,
    body: say`Sign in with your own account.`,
    status: 422,
  }),
  unverified: () => ({
    title: say`Your email address isn't verified there`,
    body: say`Your provider’s administrator can verify it. Then sign in again.`,
    status: 422,
  }),
  unknown: (email) => ({
    title: say`Nobody in this company has ${email}`,
    body: say`Ask an owner of your company to invite you.`,
    status: 422,
  }),
  frozen: () => ({
    title: say`Your company is being moved`,
    body: say`Until the move is done, it is read-only and nobody new can join. Try again later.`,
    status: 503,
  }),
  theirs: (email) => ({
    title: say`${email} has an account here already`,
    body: say`Your company can't add it without you. Open the link of your invitation, and sign in with your own account to accept.`,
    status: 422,
  }),
}
