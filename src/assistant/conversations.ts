import { entryOf, type Caller } from '../identity/credentials/caller.ts'
import { insertSelected, readTenant, sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { conflict, notFound } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { parseMessage, titleOf, toContent, type ChatMessage, type MessageRow, type StoredMessage } from './messages.ts'
import { refusals } from './refusals.ts'

/** Conversation of a person; `cost_micros` is in millionths of a dollar. */
export type Conversation = {
  id: string
  title: string
  input_tokens: number
  output_tokens: number
  cost_micros: number
  is_running: boolean
  created_at: string
  updated_at: string
}

/** Tokens of an answer, and their cost. */
type Usage = { inputTokens: number; outputTokens: number; costMicros: number }

/** Limits on running answers and stored messages. For tokens, 0 means no limit. */
export type Limits = {
  maxConversationTokens: number
  maxDayTokens: number
  /** Maximum number of answers in progress, for a person and for a company. */
  maxRunningOfPerson: number
  maxRunningOfCompany: number
  maxMessages: number
}

/** Minutes after which an answer counts as ended, in case its process died. */
const CLAIM_MINUTES = 10

const columns = sql`c.id, c.title, c.input_tokens::float8, c.output_tokens::float8, c.cost_micros::float8,
  coalesce(c.running_until > moment(), false) as is_running, c.created_at, c.updated_at`

/** Lists a person's conversations, most recently used first. */
export const listConversations = (db: Db, user: string, limit: number): Promise<Conversation[]> =>
  db.all<Conversation>(sql`select ${columns} from assistant_conversations c
    where c.tenant_id = ${db.tenant} and c.user_id = ${user} order by c.updated_at desc, c.id desc limit ${limit}`)

/** Returns a person's conversation with its messages. Refuses somebody else's as not found. */
export async function findConversation(
  db: Db,
  user: string,
  id: string,
): Promise<{ conversation: Conversation; messages: StoredMessage[] }> {
  const [conversation, rows] = await Promise.all([
    db.maybe<Conversation>(sql`select ${columns} from assistant_conversations c
      where c.tenant_id = ${db.tenant} and c.user_id = ${user} and c.id = ${id}`),
    db.all<MessageRow>(sql`select position, role, content, created_at from assistant_messages
      where tenant_id = ${db.tenant} and conversation_id = ${id} order by position`),
  ])
  if (conversation === undefined) throw notFound('conversation')
  return { conversation, messages: rows.map(parseMessage) }
}

/** Deletes a person's conversation with its messages. Keeps its effects and the usage counted for the day. */
export async function deleteConversation(database: Database, by: Caller, id: string): Promise<void> {
  await writeTenant(database, entryOf(by), async (db) => {
    const deleted = await db.run(sql`delete from assistant_conversations
      where tenant_id = ${db.tenant} and user_id = ${by.user} and id = ${id}`)
    if (deleted === 0) throw notFound('conversation')
  })
}

type NewAnswer = {
  by: Caller
  conversation: string | null
  message: Extract<ChatMessage, { role: 'user' }>
  preparedFor?: string | undefined
}

/**
 * Starts an answer: stores the message, and claims the conversation so that no other answer is written in it. Refuses
 * when a limit is reached. Returns the conversation.
 */
export function startAnswer(
  database: Database,
  limits: Limits,
  { by, conversation, message, preparedFor }: NewAnswer,
): Promise<string> {
  return writeTenant(database, entryOf(by), async (db) => {
    const id = conversation ?? newId()
    // Locks the day's row first, so that starts in a company are counted one after another.
    await db.run(sql`insert into assistant_days as d (tenant_id, day)
      values (${db.tenant}, ${dayIn(by.tenant.timezone)})
      on conflict (tenant_id, day) do update set input_tokens = d.input_tokens`)
    if (conversation !== null) await requireOpen(db, limits, by, conversation)
    await requireFreeRun(db, limits, by)
    await requireDayTokens(db, limits, by)
    if (conversation === null)
      await db.run(sql`insert into assistant_conversations (tenant_id, id, user_id, title, prepared_for)
        values (${db.tenant}, ${id}, ${by.user}, ${titleOf(message.text)}, ${preparedFor ?? null})`)
    await appendMessages(db, id, [message])
    await db.run(sql`update assistant_conversations
      set running_until = moment() + make_interval(mins => ${CLAIM_MINUTES}), updated_at = moment()
      where tenant_id = ${db.tenant} and id = ${id}`)
    return id
  })
}

async function requireFreeRun(db: Db, limits: Limits, { user }: Caller): Promise<void> {
  const { company, own } = await db.one<{ company: number; own: number }>(sql`
    select count(*)::integer as company, (count(*) filter (where user_id = ${user}))::integer as own
    from assistant_conversations where tenant_id = ${db.tenant} and running_until > moment()`)
  if (own >= limits.maxRunningOfPerson || company >= limits.maxRunningOfCompany) throw conflict(refusals.tooMany())
}

async function requireDayTokens(db: Db, { maxDayTokens }: Limits, { tenant }: Caller): Promise<void> {
  if (maxDayTokens > 0 && (await findDayTokens(db, tenant.timezone)) >= maxDayTokens)
    throw conflict(refusals.dayLimit())
}

async function requireOpen(db: Db, limits: Limits, { user }: Caller, id: string): Promise<void> {
  const conversation = await db.maybe<{ tokens: number; is_running: boolean; messages: number }>(sql`
    select (c.input_tokens + c.output_tokens)::float8 as tokens,
      coalesce(c.running_until > moment(), false) as is_running,
      (select count(*) from assistant_messages m where m.tenant_id = ${db.tenant} and m.conversation_id = c.id)::integer
        as messages
    from assistant_conversations c where c.tenant_id = ${db.tenant} and c.user_id = ${user} and c.id = ${id}`)
  if (conversation === undefined) throw notFound('conversation')
  if (conversation.is_running) throw conflict(refusals.running())
  const { maxConversationTokens } = limits
  if (
    conversation.messages >= limits.maxMessages ||
    (maxConversationTokens > 0 && conversation.tokens >= maxConversationTokens)
  )
    throw conflict(refusals.conversationLimit())
}

/** Returns the tokens that a company used today. */
const findDayTokens = async (db: Db, zone: string): Promise<number> =>
  (
    await db.maybe<{ tokens: number }>(sql`select (input_tokens + output_tokens)::float8 as tokens from assistant_days
      where tenant_id = ${db.tenant} and day = ${dayIn(zone)}`)
  )?.tokens ?? 0

const dayIn = (zone: string): string => Temporal.Now.plainDateISO(zone).toString()

type NewMessages = {
  tenant: string
  zone: string
  conversation: string
  messages: readonly ChatMessage[]
  usage?: Usage
}

/** Adds messages and their usage to a conversation. Returns the tokens of the conversation and of the day. */
export function addMessages(
  database: Database,
  { tenant, zone, conversation, messages, usage }: NewMessages,
): Promise<{ conversationTokens: number; dayTokens: number } | undefined> {
  return writeTenant(database, { tenant }, async (db) => {
    const { inputTokens = 0, outputTokens = 0, costMicros = 0 } = usage ?? {}
    const updated = await db.maybe<{ tokens: number }>(sql`update assistant_conversations
      set input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens},
        cost_micros = cost_micros + ${costMicros}, updated_at = moment()
      where tenant_id = ${db.tenant} and id = ${conversation}
      returning (input_tokens + output_tokens)::float8 as tokens`)
    if (updated !== undefined) await appendMessages(db, conversation, messages)
    if (usage !== undefined)
      await db.run(sql`
        insert into assistant_days as d (tenant_id, day, input_tokens, output_tokens, cost_micros)
        values (${db.tenant}, ${dayIn(zone)}, ${inputTokens}, ${outputTokens}, ${costMicros})
        on conflict (tenant_id, day) do update set input_tokens = d.input_tokens + excluded.input_tokens,
          output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros`)
    if (updated === undefined) return undefined
    return { conversationTokens: updated.tokens, dayTokens: await findDayTokens(db, zone) }
  })
}

/** Ends an answer, so that the next message can be sent. */
export async function endAnswer(database: Database, tenant: string, conversation: string): Promise<void> {
  await writeTenant(database, { tenant }, (db) =>
    db.run(sql`update assistant_conversations set running_until = null
      where tenant_id = ${db.tenant} and id = ${conversation}`),
  )
}

/** Returns the messages of a conversation in order. */
export const readMessages = (database: Database, tenant: string, conversation: string): Promise<StoredMessage[]> =>
  readTenant(database, { tenant }, async (db) =>
    (
      await db.all<MessageRow>(sql`select position, role, content, created_at from assistant_messages
        where tenant_id = ${db.tenant} and conversation_id = ${conversation} order by position`)
    ).map(parseMessage),
  )

async function appendMessages(db: Db, conversation: string, messages: readonly ChatMessage[]): Promise<void> {
  for (const message of messages)
    await db.run(
      insertSelected(sql`insert into assistant_messages (tenant_id, conversation_id, position, role, content)
        select ${db.tenant}, ${conversation},
          1 + coalesce((select max(position) from assistant_messages
            where tenant_id = ${db.tenant} and conversation_id = ${conversation}), 0),
          ${message.role}, ${toContent(message)}`),
    )
}
