import { addOperator } from '../../access/people/operators.ts'
import { findUser } from '../../access/people/users.ts'
import type { Database } from '../../db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../messages/directory.ts'
import { readEmail, receiveEmail } from '../../messages/inbound_email.ts'
import { receiveSms } from '../../messages/inbound_sms.ts'
import { newId } from '../../shape/id.ts'

/** Is the last of the fictional numbers, which end before 0200. */
const MAX_NUMBERS = 29

/**
 * Makes a number and a mailbox with what customers wrote there: known ones, and an unknown one. The first demo's owner
 * is an operator too, for whom a message waits that found no company.
 */
export async function makeMessages(
  database: Database,
  { tenant, number, owner }: { tenant: string; number: number; owner: string },
): Promise<void> {
  if (number > MAX_NUMBERS) return
  const [sms, mailbox] = [
    `+15125550${170 + number}`,
    number === 1 ? 'office@bartonridge.example' : `office${number}@bartonridge.example`,
  ]
  await Promise.all([addChannel(database, NUMBERS, tenant, sms), addChannel(database, MAILBOXES, tenant, mailbox)])
  const text = (from: string, body: string, to = sms): Promise<void> =>
    receiveSms(database, { sid: `SM${newId().replaceAll('-', '')}`, from, to, body })
  await text('+15125550107', 'Hi, June here. Could you come to the lake house after 10? The gate code is 0822 now.')
  await text('+15125550107', 'And please bring the key for the pump shed, mine is gone.')
  await text('+15125550188', 'Is this the plumber? Our water heater is leaking into the garage. 1402 Alta Vista Ave.')
  await mail(database, {
    from: 'Roy McAllister <roy.mcallister@example.com>',
    to: mailbox,
    subject: 'Your invoice',
    text: 'I was out of town. A check for the riser repair goes out on Friday.\n\nRoy',
  })
  if (number > 1) return
  await addOperator(database, await findUser(database, owner))
  await text('+15125550191', 'You called me about a quote?', '+15125550199')
}

async function mail(
  database: Database,
  given: { from: string; to: string; subject: string; text: string },
): Promise<void> {
  const body = Buffer.from(
    JSON.stringify({ ...given, messageId: `<${newId()}@example.com>`, dmarc: 'pass', attachments: [] }),
  )
  await receiveEmail(database, (await readEmail(body))!, body)
}
