import { mayChangeQuote } from '../../../records/quotes/index.ts'
import { languageOf } from '../../../platform/i18n/reader.ts'
import { findObjection } from '../../../messaging/outbox/consent.ts'
import { previewStopHint } from '../../../messaging/outbox/stop_hint.ts'
import { canSend } from '../../../messaging/outbox/senders/senders.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { placeholderValues } from '../../../messaging/templates/placeholder_values.ts'
import {
  CHANNELS,
  KINDS,
  isMessageKind,
  type MessageChannel,
  type MessageKind,
} from '../../../messaging/templates/kinds.ts'
import { findSubjectRecord, type SubjectRecord } from '../../../messaging/templates/subject_record.ts'
import { fillPlaceholders } from '../../../messaging/templates/placeholders.ts'
import { listRecipients } from '../../../messaging/templates/recipients.ts'
import { requireSendable, defaultKind } from '../../../messaging/templates/sendable.ts'
import { findMessageTemplate } from '../../../messaging/templates/templates.ts'
import { newId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import type { Addressee, MessageForm } from './message_form.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

export type MessageTopic = 'invoices' | 'quotes' | 'jobs'

/** Record that a message is about. */
export type MessageTarget = { topic: MessageTopic; id: string }

/** Returns the initial form: the default channel and recipient, and the template in the customer's language. */
export async function openMessageForm(
  site: Site,
  context: MemberContext,
  { topic, id }: MessageTarget,
  searchParams: URLSearchParams,
): Promise<MessageForm> {
  return context.read(async (db) => {
    const record = await findSubjectRecord(db, topic, id)
    requireOwnQuote(context, record)
    const people = await Promise.all(
      CHANNELS.map(async (channel): Promise<[MessageChannel, Addressee[]]> => {
        const recipients = (await listRecipients(db, record, channel)).slice(0, MAX_SHOWN)
        const addressees = recipients.map(async (recipient) => {
          const objection = await findObjection(db, { channel, to: recipient.address, by: context.user.id })
          return { ...recipient, objection: objection?.message }
        })
        return [channel, await Promise.all(addressees)]
      }),
    )
    const peopleByChannel = new Map(people)
    const channel = searchParams.has('by') ? readChannel(searchParams) : defaultChannel(peopleByChannel)
    const kind = readKind(searchParams, topic) ?? defaultKind(record)
    const to = peopleByChannel.get(channel)!.find(({ objection }) => objection === undefined)
    const template = await findMessageTemplate(db, { kind, channel, language: languageOf(record.language) })
    const minutes = kind === 'running_late' ? readMinutes(searchParams) : undefined
    const values = placeholderValues(record, {
      firstName: to?.firstName ?? null,
      ...(minutes === undefined ? {} : { minutes }),
    })
    const numbers = peopleByChannel.get('sms')?.map(({ address }) => address) ?? []
    return {
      record,
      topic,
      kind,
      channel,
      people: peopleByChannel.get(channel)!,
      hasSender: await canSend(db, site.senders, channel),
      baseUrl: site.baseUrl,
      key: newId(),
      ...(minutes === undefined ? {} : { minutes }),
      ...(channel === 'sms' && { stopHint: await previewStopHint(db, record, numbers) }),
      objection: objectionIn(record),
      draft: {
        to: to?.address ?? '',
        subject: fillPlaceholders(template.subject ?? '', values),
        body: fillPlaceholders(template.body, values),
        hasPdf: topic !== 'jobs',
      },
    }
  })
}

/** Answers 404 to members who may not change a colleague's quote, and so may not share a link to it. */
export function requireOwnQuote({ caller }: MemberContext, { owner_id }: Pick<SubjectRecord, 'owner_id'>): void {
  if (owner_id !== null && !mayChangeQuote({ owner_id }, caller)) throw notFoundRefusal()
}

const MAX_SHOWN = 20

export const readChannel = (searchParams: URLSearchParams): MessageChannel =>
  CHANNELS.find((one) => one === searchParams.get('by')) ?? 'email'

export function readKind(searchParams: URLSearchParams, topic: MessageTopic): MessageKind | undefined {
  const kind = searchParams.get('kind') ?? ''
  return isMessageKind(kind) && KINDS[kind] === topic ? kind : undefined
}

/** Parses the minutes late, from 5 to 480; undefined for anything else. */
function readMinutes(query: URLSearchParams): number | undefined {
  const minutes = Number(query.get('minutes') ?? '')
  return Number.isInteger(minutes) && minutes >= 5 && minutes <= 480 ? minutes : undefined
}

const defaultChannel = (people: ReadonlyMap<MessageChannel, readonly Addressee[]>): MessageChannel =>
  CHANNELS.find((channel) => people.get(channel)!.some(({ objection }) => objection === undefined)) ?? 'email'

function objectionIn(record: SubjectRecord): string | undefined {
  try {
    requireSendable(record)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refusalForPeople(error)
  }
}
