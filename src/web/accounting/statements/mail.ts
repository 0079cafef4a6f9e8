import { findCustomer } from '../../../records/customers/index.ts'
import { mailStatement } from '../../../messaging/statements/send.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say } from '../../../platform/i18n/say.ts'
import { runOnce } from '../../messaging/compose/run_once.ts'
import { readIdempotencyKey } from '../../messaging/compose/messages.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { addressOf } from '../range.ts'
import { requireStatement } from './statement.ts'
import { maySendStatements } from './rights.ts'

/** Emails a customer's statement to the address on the form, once per idempotency key. */
export async function mailOneStatement(site: Site, request: PageRequest): Promise<Response> {
  const { context, id, range } = await requireStatement(site, request)
  const form = await readFormFields(request.req.raw)
  const to = (form.get('to') ?? '').trim().slice(0, 254)
  const there = addressOf(context.path('customers', id, 'statement'), range)
  if (range.problem !== undefined) return redirectWithMessage(there, { sentence: range.problem })
  const { from, to: last } = range
  try {
    await context.write(async (db) => {
      if (!maySendStatements(context)) throw notFoundRefusal()
      const customer = (await findCustomer(db, id)).id
      await runOnce(
        db,
        { caller: context.caller, action: 'customers.statement', id, key: readIdempotencyKey(form) },
        () => mailStatement(db, { customer, from, to: last, address: to, by: context.user.id, baseUrl: site.baseUrl }),
      )
    })
    return redirectWithMessage(there, {
      sentence: say`The statement is on its way to ${to}.`,
      next: { label: say`Outbox`, href: context.path('outbox') },
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return redirectWithMessage(there, { sentence: refusalForPeople(error) })
  }
}
