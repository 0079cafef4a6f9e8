import type { Html } from '../platform/html/html.ts'
import { notice } from '../platform/html/parts/notice.ts'
import type { Refusal } from '../platform/errors/refusal.ts'
import { refusalForPeople } from '../platform/i18n/refusal_for_people.ts'
import { say } from '../platform/i18n/say.ts'

/** Renders the reason for a refusal, in the reader's language. */
export const refusalNotice = (refusal: Pick<Refusal, 'problems'>): Html =>
  notice({ kind: 'error', title: say`That didn't work`, body: refusalForPeople(refusal) })
