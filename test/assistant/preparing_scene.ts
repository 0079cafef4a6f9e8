import { propose, explainProposed } from '../../src/approvals/propose.ts'
import { openAssistant, type Assistant } from '../../src/assistant/assistant.ts'
import { fetchDirectly } from '../../src/assistant/models/model.ts'
import { prepareAnswers } from '../../src/assistant/preparing.ts'
import { factsOf } from '../../src/exam/judge.ts'
import { compareSnapshots, readSnapshot } from '../../src/exam/environment/snapshot.ts'
import type { ExamEnvironment } from '../../src/exam/environment/environment.ts'
import { openConfirmations } from '../../src/identity/credentials/confirm.ts'
import { toolServer } from '../../src/mcp/tool_server.ts'
import { receiveSms } from '../../src/messaging/inbox/inbound/inbound_sms.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { startProvider, type FakeAnswer } from './provider.ts'

/** Opens an assistant on the fake provider, as the service does. */
export function openOwnAssistant(
  database: ExamEnvironment['database'],
  config: ExamEnvironment['config'],
  url: string,
): Assistant {
  const report = (_reference: string, error: unknown): never => {
    throw error
  }
  const { baseUrl } = config
  const context = { database, confirm: openConfirmations(database), baseUrl, report, propose, explainProposed }
  const model = { provider: 'anthropic', model: 'fake-1', key: 'k', url, inputPrice: 3, outputPrice: 15 } as const
  return openAssistant({
    database,
    config: config.assistant,
    port: toolServer(context, 'svc').narrow({ toolsets: null, readonly: false, strict: false, mine: true, ui: true }),
    report,
    modelOf: async () => ({ config: model, fetchModel: fetchDirectly, isOwn: false }),
  })
}

/** Tables where a message and its preparation add rows. */
const EXPECTED = new Set([
  'communications',
  'correspondents',
  'assistant_conversations',
  'assistant_messages',
  'assistant_days',
  'credentials',
])

const TOBIAS = '+15125550114'

/** Returns the model's text for an answer to a message. */
export const answer = (text: string): FakeAnswer => ({ text: `Tobias, about his washer.\nANSWER:\n${text}` })

export type PreparingScene = Awaited<ReturnType<typeof openPreparingScene>>

/** Starts the provider and opens an assistant that prepares answers in a environment. */
export async function openPreparingScene(environment: ExamEnvironment) {
  const provider = await startProvider()
  const { database, config, tenant, owner } = environment
  const { rows } = await owner.query<{ id: string; name: string }>(
    'select u.id, u.name from members m join users u on u.id = m.user_id where m.tenant_id = $1',
    [tenant],
  )
  const people = new Map(rows.map(({ id, name }) => [name, id]))
  const facts = factsOf(environment.initialSnapshot(), people, environment.timezone)
  const assistant = openOwnAssistant(database, config, provider.url)
  const receive = (body: string, from = TOBIAS): Promise<void> =>
    receiveSms(database, { sid: freshId(), from, to: '+15125550171', body })
  return {
    provider,
    facts,
    assistant,
    dana: people.get('Dana Whitfield') ?? '',
    receive,
    prepare: (): Promise<void> => prepareAnswers(database, assistant, tenant, new AbortController().signal),
    /** Returns what the work changes, apart from the rows of a message and its preparation. */
    async changesOf(work: () => Promise<unknown>): Promise<string[]> {
      const start = await readSnapshot(owner, tenant, environment.initialSnapshot())
      await work()
      const end = await readSnapshot(owner, tenant, start)
      return compareSnapshots(start, end).flatMap(({ table, kind }) =>
        EXPECTED.has(table) ? [] : [`${kind} in ${table}`],
      )
    },
    tobias: (): string =>
      String(facts.rows('customers').find((row) => row['display_name'] === 'Tobias Freeman')?.['id']),
    /** Returns the id of the newest message. */
    newest: async (): Promise<string> =>
      (
        await owner.query<{ id: string }>(
          'select id from communications where tenant_id = $1 order by occurred_at desc, id desc limit 1',
          [tenant],
        )
      ).rows[0]?.id ?? '',
    /** Marks all messages as read. */
    readAll: (): Promise<unknown> =>
      owner.query(`update communications set read_at = now() where tenant_id = $1 and read_at is null`, [tenant]),
    decline: (): Promise<unknown> =>
      owner.query(
        `update proposals set state = 'declined', decided_at = now() where tenant_id = $1 and state = 'open'`,
        [tenant],
      ),
  }
}
