import { answer } from '../../html/answer.ts'
import { formOf } from '../../html/form.ts'
import type { Visit } from '../../html/visit.ts'
import { languageOf } from '../../language/reader.ts'
import { say } from '../../language/say.ts'
import { objectionTo } from '../../outbox/consent.ts'
import { canSend } from '../../outbox/senders/senders.ts'
import { Refusal } from '../../refusal.ts'
import { phone } from '../../screens/formats.ts'
import { fillingsOf } from '../../sending/fillings.ts'
import { CHANNELS, KINDS, isKind, type MessageChannel, type MessageKind } from '../../sending/kinds.ts'
import { findMatter, lockMatter, type Matter } from '../../sending/matter.ts'
import { filledIn } from '../../sending/placeholders.ts'
import { post, type Letter } from '../../sending/post.ts'
import { recipientsOf } from '../../sending/recipients.ts'
import { requireSeen, requireSendable, usualKind } from '../../sending/sendable.ts'
import { templateOf } from '../../sending/templates.ts'
import { isId, newId } from '../../shape/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { noPage } from '../not_here.ts'
import { statusOf } from '../faults.ts'
import { redirectSaying } from '../saying.ts'
import type { Site } from '../site.ts'
import { letterPage, type Addressee, type LetterForm } from './letter_page.ts'
import { onceIn } from './once.ts'

export type SentTopic = 'invoices' | 'quotes' | 'jobs'

/** Shows the message as it would go: whom to, by what, and in which words. */
export async function showLetter(site: Site, visit: Visit): Promise<Response> {
  const context = await requireSender(site, visit)
  const asked = new URL(visit.req.url).searchParams
  return answer(letterPage(context, await opened(site, context, visit, asked)))
}

/**
 * Sends it: the status of a draft, the link and the message are one transaction, so that none is there without the
 * others. A button pressed twice sends once.
 */
export async function sendLetter(site: Site, visit: Visit): Promise<Response> {
  const context = await requireSender(site, visit)
  const typed = await formOf(visit.req.raw)
  const [topic, id] = [topicOf(visit), visit.req.param('id')!]
  const letter = letterIn(typed, topic)
  try {
    const matter = await context.write((db) => {
      requireRights(context, topic)
      return onceIn(db, { caller: context.caller, act: `${topic}.send`, id, key: keyIn(typed) }, async () => {
        const before = await lockMatter(db, topic, id)
        requireSendable(before)
        requireSeen(before, typed.get('seen') ?? '')
        if (before.status === 'draft') await context.within(db, `${topic}_update`, { id, status: 'sent' })
        await post(db, await findMatter(db, topic, id), letter, {
          baseUrl: site.baseUrl,
          cause: 'sent',
          by: context.user.id,
        })
      }).then(() => findMatter(db, topic, id))
    })
    return redirectSaying(context.path(topic, id), { sentence: await sentenceOf(site, context, matter, letter) })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const form = await opened(site, context, visit, typed)
    return answer(letterPage(context, { ...form, typed: letter, refusal: error }), { status: statusOf(error) })
  }
}

/** Says what happens to it now: it goes, or it waits for a sender. */
async function sentenceOf(
  site: Site,
  context: MemberContext,
  { number }: Matter,
  { channel, to }: Letter,
): Promise<string> {
  const where = channel === 'sms' ? phone(to) : to
  return (await context.read((db) => canSend(db, site.senders, channel)))
    ? say`${number ?? ''} is on its way to ${where}.`
    : say`The message about ${number ?? ''} waits in the Outbox until a sender is set up.`
}

export const topicOf = (visit: Visit): SentTopic => visit.req.param('topic') as SentTopic

/** Answers 404 to those who may not change the record, or may not see its customer's addresses. */
async function requireSender(site: Site, visit: Visit): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  requireRights(context, topicOf(visit))
  return context
}

function requireRights(context: MemberContext, topic: SentTopic): void {
  if (!context.may(`write:${topic}`) || !context.may('read:customers')) throw noPage()
}

/** Returns the key of a form, by which it counts once; one without a key counts each time. */
export const keyIn = (typed: URLSearchParams): string => {
  const key = typed.get('idempotency_key') ?? ''
  return isId(key) ? key : newId()
}

/** Reads what is written on the form; the rest of it is of the record. */
function letterIn(typed: URLSearchParams, topic: SentTopic): Letter {
  const chosen = typed.get('to') ?? ''
  return {
    kind:
      kindIn(typed, topic) ?? (topic === 'quotes' ? 'quote_sent' : topic === 'jobs' ? 'visit_booked' : 'invoice_sent'),
    channel: channelIn(typed),
    to: chosen === '' || chosen === 'other' ? (typed.get('other') ?? '') : chosen,
    toName: null,
    firstName: null,
    subject: typed.get('subject') ?? '',
    body: typed.get('body') ?? '',
    hasPdf: typed.get('pdf') === 'yes',
  }
}

const channelIn = (asked: URLSearchParams): MessageChannel => CHANNELS.find((one) => one === asked.get('by')) ?? 'email'

function kindIn(asked: URLSearchParams, topic: SentTopic): MessageKind | undefined {
  const kind = asked.get('kind') ?? ''
  return isKind(kind) && KINDS[kind] === topic ? kind : undefined
}

const MAX_SHOWN = 20

/** Returns the form as it starts: the likeliest way and person, and the company's words in the customer's language. */
async function opened(site: Site, context: MemberContext, visit: Visit, asked: URLSearchParams): Promise<LetterForm> {
  const [topic, id] = [topicOf(visit), visit.req.param('id')!]
  return context.read(async (db) => {
    const matter = await findMatter(db, topic, id)
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
