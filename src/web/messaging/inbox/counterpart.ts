import type { PageRequest } from '../../../platform/http/page_request.ts'
import {
  findCustomerCorrespondent,
  findCorrespondent,
  type Correspondent,
} from '../../../messaging/inbox/correspondents.ts'
import { phone } from '../../../records/format/formats.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'

/** Other party of a conversation: a customer, even before the first message, or an unknown address. */
export type Counterpart = {
  customer: string | null
  stranger: string | null
  name: string
  /** Undefined before the first message. */
  correspondent: Correspondent | undefined
  /** Path of the page. */
  path: string
}

/** Finds the other party named in the URL. Answers 404 for an unknown one. */
export async function requireCounterpart(context: MemberContext, request: PageRequest): Promise<Counterpart> {
  const [customer, id] = [request.req.param('customer') ?? '', request.req.param('correspondent') ?? '']
  if (isId(customer)) {
    const { display_name } = await context.call('customers_get', { id: customer })
    return toCounterpart(
      context,
      customer,
      display_name,
      await context.read((db) => findCustomerCorrespondent(db, customer)),
    )
  }
  if (!isId(id)) throw notFoundRefusal()
  const correspondent = await context.read((db) => findCorrespondent(db, id))
  return toCounterpart(context, correspondent.customer_id, personNameOf(correspondent), correspondent)
}

const toCounterpart = (
  context: MemberContext,
  customer: string | null,
  name: string,
  correspondent: Correspondent | undefined,
): Counterpart => ({
  customer,
  stranger: customer === null ? (correspondent?.address ?? null) : null,
  name,
  correspondent,
  path: customer === null ? context.path('messages', correspondent!.id) : context.path('messages', 'with', customer),
})

/** Returns a display name: the customer's name, a phone number or an address. */
export const personNameOf = ({ customer_name, address }: Pick<Correspondent, 'customer_name' | 'address'>): string =>
  customer_name ?? phone(address ?? '')

/** Returns the path of a conversation's page. */
export const conversationPath = (
  context: MemberContext,
  { id, customer_id }: Pick<Correspondent, 'id' | 'customer_id'>,
): string => (customer_id === null ? context.path('messages', id) : context.path('messages', 'with', customer_id))
