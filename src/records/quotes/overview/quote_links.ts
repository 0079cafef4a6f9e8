import { html, type Html } from '../../../platform/html/html.ts'
import { recordLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import { statusTag } from '../../page/parts.ts'
import { findQuoteName } from '../quote.ts'

/** Renders the quote that a record came from, for people who may see quotes. */
export async function quoteLinks(context: PageContext, id: string | null): Promise<Html[]> {
  const quote =
    id === null || !context.may('read:quotes') ? undefined : await context.read((db) => findQuoteName(db, id))
  if (quote === undefined) return []
  const name = `${quote.display_number} ${quote.title}`
  const link = quote.status === 'archived' ? name : recordLink(context, 'quotes', quote.id, name)
  return [html`${link} ${statusTag(quote.status)}`]
}
