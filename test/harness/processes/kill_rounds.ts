import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startMailServer } from '../messaging/mail_server.ts'
import { openOutboxScene } from '../messaging/outbox_scene.ts'
import { startSmsProvider } from '../messaging/sms_provider.ts'

/** When to kill a process: before one of its steps, or just before or after a provider accepts a message. */
export type Moment = number | 'before it is taken' | 'after it was taken'

/** Result of a round. `survived`: the process had fewer steps and ended by itself. */
export type Round = { channel: 'email' | 'sms'; moment: Moment; survived: boolean; taken: number; state: string }

/** Starts fake providers and a database. In each round a process is killed and another continues. */
export async function startKillRounds() {
  const server = await startMailServer()
  const provider = await startSmsProvider()
  const office = await openOutboxScene({ mailServer: server.config, smsAccount: provider.account })
  let rounds = 0

  /** Sends a message in a process that is killed. Runs the task again after 3 minutes, and an hour later. */
  async function round(channel: 'email' | 'sms', moment: Moment): Promise<Round> {
    const mark = `round ${++rounds} of ${channel}`
    const id = await (channel === 'email' ? office.queue({ body: mark }) : office.text({ body: mark }))
    const given = {
      login: office.shop.login,
      now: office.shop.clock().toString(),
      mailServer: server.config,
      smsAccount: provider.account,
      dieAt: typeof moment === 'number' ? moment : null,
    }
    const child = spawn(process.execPath, ['test/harness/processes/sender.process.ts', JSON.stringify(given)], {
      cwd: new URL('../../..', import.meta.url),
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    if (typeof moment === 'string') killWithin(child, moment, exited)
    await exited
    Object.assign(server.how, { atRecipient: undefined, atEnd: undefined })
    provider.how.answer = () => undefined
    await office.shop.undone()
    for (const time of [{ minutes: 3 }, { hours: 1 }]) {
      office.shop.pass(time)
      await office.run()
    }
    return {
      channel,
      moment,
      survived: child.signalCode === null,
      taken:
        server.taken.filter(({ mail }) => mail.text!.includes(mark)).length +
        provider.taken.filter(({ body }) => body === mark).length,
      state: (await office.row(id)).state,
    }
  }

  function killWithin(child: ChildProcess, moment: string, exited: Promise<unknown>): void {
    const kill = async (): Promise<undefined> => {
      child.kill('SIGKILL')
      await exited
      return undefined
    }
    if (moment === 'after it was taken') {
      server.how.atEnd = kill
      provider.how.answer = kill
    } else {
      server.how.atRecipient = async () => {
        await kill()
        return '421 Gone'
      }
      provider.how.answer = async () => {
        await kill()
        return 'reset' as const
      }
    }
  }

  const stop = async (): Promise<void> => {
    await office.stop()
    await server.stop()
    await provider.stop()
  }
  return { round, stop }
}

/** Returns the fault of a round: the message was sent twice, or lost without the state `uncertain`. */
export const wrongOf = ({ taken, state }: Round): 'doubled' | 'lost' | undefined =>
  taken > 1 ? 'doubled' : taken === 0 && state !== 'uncertain' ? 'lost' : undefined
