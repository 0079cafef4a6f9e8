import { sayPhrase, type Phrase } from '../platform/i18n/phrase.ts'

/** Result of a check. `fix` is the fix for a failed check or, with `warning`, for one that will soon fail. */
export type Finding = { check: string; ok: boolean; warning?: true; says: Phrase | string; mend?: Phrase | string }

/** Returns the finding for a failed check. */
export const wrongFinding = (check: string, message: Finding['says'], fix: Phrase | string): Finding => ({
  check,
  ok: false,
  says: message,
  mend: fix,
})

/** Returns the finding for a check that will soon fail. */
export const warningFinding = (check: string, message: Finding['says'], fix: Phrase | string): Finding => ({
  check,
  ok: true,
  warning: true,
  says: message,
  mend: fix,
})

/** Finding with its texts in one language: the reader's, or English. */
export type TranslatedFinding = Omit<Finding, 'says' | 'mend'> & { says: string; mend?: string }

/** Translates a finding into the reader's language. */
export const sayFinding = ({ says, mend, ...finding }: Finding): TranslatedFinding => ({
  ...finding,
  says: sayPhrase(says),
  ...(mend === undefined ? {} : { mend: sayPhrase(mend) }),
})
