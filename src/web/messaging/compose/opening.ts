import { mayChangeQuote } from '../../../records/quotes/index.ts'
import { languageOf } from '../../../platform/i18n/reader.ts'
import { objectionTo } from '../../../messaging/outbox/consent.ts'
import { canSend } from '../../../messaging/outbox/senders/senders.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fillingsOf } from '../../../messaging/templates/fillings.ts'
import { CHANNELS, KINDS, isKind, type MessageChannel, type MessageKind } from '../../../messaging/templates/kinds.ts'
import { findMatter, type Matter } from '../../../messaging/templates/matter.ts'
import { filledIn } from '../../../messaging/templates/placeholders.ts'
import { recipientsOf } from '../../../messaging/templates/recipients.ts'
import { requireSendable, usualKind } from '../../../messaging/templates/sendable.ts'
import { templateOf } from '../../../messaging/templates/templates.ts'
import { newId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import { noPage } from '../../not_here.ts'
import type { Site } from '../../site.ts'
import type { Addressee, LetterForm } from './letter_page.ts'

export type SentTopic = 'invoices' | 'quotes' | 'jobs'

/** Names the record that a message is about. */
export type About = { topic: SentTopic; id: string }

/** Returns the form as it starts: the likeliest way and person, and the company's words in the customer's language. */
export async function openLetter(
  site: Site,
  context: MemberContext,
  { topic, id }: About,
  asked: URLSearchParams,
): Promise<LetterForm> {
  return context.read(async (db) => {
    const matter = await findMatter(db, topic, id)
    requireOwn(context, matter)
    const people = await Promise.all(
      CHANNELS.map(async (channel): Promise<[MessageChannel, Addressee[]]> => {
        const recipients = (await recipientsOf(db, matter, channel)).slice(0, MAX_SHOWN)
        const objections = await Promise.all(
          recipients.map(({ address }) => objectionTo(db, { channel, to: address, by: context.user.id })),
        )
        return [channel, recipients.map((one, i) => ({ ...one, objection: objections[i]?.words }))]
      }),
    )
    const reach = new Map(people)
    const channel = asked.has('by') ? channelIn(asked) : usualChannel(reach)
    const kind = kindIn(asked, topic) ?? usualKind(matter)
    const to = reach.get(channel)!.find(({ objection }) => objection === undefined)
    const words = await templateOf(db, { kind, channel, language: languageOf(matter.language) })
    const fillings = fillingsOf(matter, { firstName: to?.firstName ?? null })
    return {
      matter,
      topic,
      kind,
      channel,
      people: reach.get(channel)!,
      hasSender: await canSend(db, site.senders, channel),
      baseUrl: site.baseUrl,
      key: newId(),
      objection: objectionIn(matter),
      typed: {
        to: to?.address ?? '',
        subject: filledIn(words.subject ?? '', fillings),
        body: filledIn(words.body, fillings),
        hasPdf: topic !== 'jobs',
      },
    }
  })
}

/** Answers 404 to those who may not change a colleague's quote, and so don't give its customer a link either. */
export function requireOwn({ caller }: MemberContext, { owner_id }: Pick<Matter, 'owner_id'>): void {
  if (owner_id !== null && !mayChangeQuote({ owner_id }, caller)) throw noPage()
}

const MAX_SHOWN = 20

export const channelIn = (asked: URLSearchParams): MessageChannel =>
  CHANNELS.find((one) => one === asked.get('by')) ?? 'email'

export function kindIn(asked: URLSearchParams, topic: SentTopic): MessageKind | undefined {
  const kind = asked.get('kind') ?? ''
  return isKind(kind) && KINDS[kind] === topic ? kind : undefined
}

const usualChannel = (people: ReadonlyMap<MessageChannel, readonly Addressee[]>): MessageChannel =>
  CHANNELS.find((channel) => people.get(channel)!.some(({ objection }) => objection === undefined)) ?? 'email'

function objectionIn(matter: Matter): string | undefined {
  try {
    requireSendable(matter)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}
