import type { Html } from '../platform/html/html.ts'
import { notice } from '../platform/html/parts/notice.ts'
import type { Refusal } from '../platform/errors/refusal.ts'
import { refusalForPeople } from '../platform/i18n/refusal_for_people.ts'
import { say } from '../platform/i18n/say.ts'

/** Draws why something was refused, in the language of whoever reads the page. */
export const refusalNotice = (refusal: Pick<Refusal, 'problems'>): Html =>
  notice({ kind: 'error', title: say`That didn't work`, body: refusalForPeople(refusal) })
