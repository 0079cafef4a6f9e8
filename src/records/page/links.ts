import { html, type Html } from '../../platform/html/html.ts'
import { isId } from '../../platform/validation/id.ts'
import type { PageContext } from './page_context.ts'

/** Returns a record's name as a link to its page. */
export const recordLink = (context: Pick<PageContext, 'path'>, entity: string, id: string, name: string): Html =>
  html`<a href="${context.path(entity, id)}">${name}</a>`

/** Returns a record's number as a link to its page, on one line. */
export const numberLink = (context: Pick<PageContext, 'path'>, entity: string, id: string, number: string): Html =>
  html`<a class="one-line" href="${context.path(entity, id)}">${number}</a>`

/** Returns the edit links for the fields of a record; undefined for people who may not change it. */
export const fieldEditor =
  (context: Pick<PageContext, 'path' | 'may'>, entity: 'customers' | 'jobs', id: string) =>
  (field: string): string | undefined =>
    context.may(`write:${entity}`) ? `${context.path(entity, id, 'edit')}?field=${field}` : undefined

/** Returns the path of the customer that a record belongs to. */
export const customerPath = (
  context: Pick<PageContext, 'path'>,
  { customer_id }: { customer_id?: string },
): string | undefined =>
  customer_id !== undefined && isId(customer_id) ? context.path('customers', customer_id) : undefined

/** Renders a document's customer in a list, as a link for people who may see customers. */
export const customerCell = (
  context: Pick<PageContext, 'path' | 'may'>,
  { customer_id, customer_name }: { customer_id: string; customer_name: string },
): Html | string =>
  context.may('read:customers') ? recordLink(context, 'customers', customer_id, customer_name) : customer_name
