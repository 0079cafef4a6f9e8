import type { PageRequest } from '../../platform/http/page_request.ts'
import { isId } from '../../platform/validation/id.ts'
import { unknownLinkPage } from './link_errors.ts'
import { openLinkContext, type LinkContext } from './link_context.ts'
import { optionsOf } from '../../customer_portal/offer.ts'
import type { PageHandler } from '../page_routes.ts'
import type { Site } from '../site.ts'

export type DocumentKind = 'quotes' | 'invoices'

/** A document that a link shows: its own, or one of its customer. */
export type PortalDocument = {
  kind: DocumentKind
  id: string
  /** Path of its page. */
  base: string
  /** First page of a link to a customer, from which one comes here. */
  back: string | undefined
}

type DocumentHandler = (
  context: LinkContext,
  document: PortalDocument,
  visit: PageRequest,
  site: Site,
) => Promise<Response>

/** Handles a page of one document of a link; to a document that the link doesn't show, it answers as to none. */
export const handleDocument =
  (kind: DocumentKind, show: DocumentHandler): PageHandler =>
  async (site, visit) => {
    const context = await openLinkContext(site, visit)
    if (context instanceof Response) return context
    const document = findDocument(context, kind, visit.req.param('id'))
    return document === undefined ? unknownLinkPage() : show(context, document, visit, site)
  }

/**
 * Returns the document of a path: of a link to a customer, the invoice of a deposit, and one of several options, by its
 * id; else the link's own.
 */
export function findDocument({ link, base }: LinkContext, kind: DocumentKind, id?: string): PortalDocument | undefined {
  const isOwn = link.kind === kind && id === undefined
  if (isOwn) return { kind, id: link.record, base, back: undefined }
  const isOption = link.kind === 'quotes' && optionsOf(link.offer).some((option) => option.id === id)
  if (link.kind !== 'customers' && !(link.kind === 'quotes' && kind === 'invoices') && !isOption) return undefined
  return id !== undefined && isId(id) ? { kind, id, base: `${base}/${kind}/${id}`, back: base } : undefined
}

/**
 * Checks whether a document is of the link's customer, who has got it; a link to one document shows that one in any
 * state.
 */
export const isVisible = (
  { link }: Pick<LinkContext, 'link'>,
  { customer_id, status }: { customer_id: string; status: string },
): boolean => link.kind !== 'customers' || (customer_id === link.record && status !== 'draft')
