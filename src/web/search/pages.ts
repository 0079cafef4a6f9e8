import { screens } from '../../records/screens.ts'
import { say } from '../../platform/i18n/say.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import type { MemberContext } from '../member_context.ts'
import { settingsPages } from '../settings/menu.ts'
import { secondaryEntries, mainEntries } from '../shell/entries.ts'
import { newLinks } from '../shell/new_links.ts'

type PageHit = { label: string; about: string; href: string }

/** Returns the visible pages and settings whose name has, for each word of the text, a word starting with it. */
export function findPages(context: MemberContext, text: string, limit: number): PageHit[] {
  const terms = wordsIn(text)
  if (terms.length === 0) return []
  const pages = pagesOf(context).filter(({ label, about }) => {
    const words = wordsIn(`${label} ${about}`)
    return terms.every((term) => words.some((word) => word.startsWith(term)))
  })
  return pages.filter(({ href }, i) => pages.findIndex((page) => page.href === href) === i).slice(0, limit)
}

const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

function pagesOf(context: MemberContext): PageHit[] {
  const entries = [...mainEntries(context, ''), ...secondaryEntries(context, '')]
  const page = say`Page`
  return [
    ...entries.map(({ label, href }) => ({ label, about: page, href })),
    ...entries.flatMap(({ label: about, within }) => within.map(({ label, href }) => ({ label, about, href }))),
    ...newLinks(context).map(({ label, href }) => ({ label, about: page, href })),
    ...listActions(context),
    ...settingsPages(context).map(({ label, href }) => ({ label, about: say`Settings`, href })),
  ]
}

/** Returns the actions of the lists that the user may see, such as import and export. */
const listActions = (context: MemberContext): PageHit[] =>
  screens
    .filter(({ menu, entity }) => menu !== undefined && context.may(`read:${entity.subject}`))
    .flatMap(({ entity, title, listing }) => [
      ...(listing.links?.(context) ?? []).map(({ label, href }) => ({
        label: `${label}: ${title}`,
        about: title,
        href,
      })),
      { label: say`Export ${title}`, about: say`Spreadsheet (CSV)`, href: `${context.path(entity.name)}.csv` },
    ])
