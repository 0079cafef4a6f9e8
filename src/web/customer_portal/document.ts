import type { PageRequest } from '../../platform/http/page_request.ts'
import { isId } from '../../platform/validation/id.ts'
import { unknownLinkPage } from './link_errors.ts'
import { openLinkContext, type LinkContext } from './link_context.ts'
import { optionsOf } from '../../customer_portal/offer.ts'
import type { PageHandler } from '../page_routes.ts'
import type { Site } from '../site.ts'

export type DocumentKind = 'quotes' | 'invoices'

/** Document that a link shows: its own, or one of its customer's. */
export type PortalDocument = {
  kind: DocumentKind
  id: string
  /** Path of its page. */
  base: string
  /** First page of a link to a customer, which leads here. */
  back: string | undefined
}

type DocumentHandler = (
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
  site: Site,
) => Promise<Response>

/** Handles a page of one of a link's documents. Answers a document the link doesn't show like a missing one. */
export const handleDocument =
  (kind: DocumentKind, show: DocumentHandler): PageHandler =>
  async (site, request) => {
    const context = await openLinkContext(site, request)
    if (context instanceof Response) return context
    const document = findDocument(context, kind, request.req.param('id'))
    return document === undefined ? unknownLinkPage() : show(context, document, request, site)
  }

/**
 * Returns the document of a path. A path with an id names a customer's document, a deposit invoice or one of several
 * options; otherwise it is the link's own document.
 */
export function findDocument({ link, base }: LinkContext, kind: DocumentKind, id?: string): PortalDocument | undefined {
  const isOwn = link.kind === kind && id === undefined
  if (isOwn) return { kind, id: link.record, base, back: undefined }
  const isOption = link.kind === 'quotes' && optionsOf(link.offer).some((option) => option.id === id)
  if (link.kind !== 'customers' && !(link.kind === 'quotes' && kind === 'invoices') && !isOption) return undefined
  return id !== undefined && isId(id) ? { kind, id, base: `${base}/${kind}/${id}`, back: base } : undefined
}

/**
 * Checks whether a document belongs to the link's customer and was sent. A link to one document shows it in any state.
 */
export const isVisible = (
  { link }: Pick<LinkContext, 'link'>,
  { customer_id, status }: { customer_id: string; status: string },
): boolean => link.kind !== 'customers' || (customer_id === link.record && status !== 'draft')
