import { Gauge, type Registry } from 'prom-client'

/** Latest results of the installation's checks, as numbers. Ages are in seconds. */
export type InstallationNumbers = {
  /** Unix time in seconds. */
  checkedAt: number
  /** 0 is OK, 1 a warning, 2 a failure. */
  checks: Readonly<Record<string, number>>
  messages: Readonly<Record<string, number>>
  oldestMessage: number
  lateTasks: Readonly<Record<string, number>>
  quarantined: number
  backups: Readonly<Record<string, number>>
}

/** Returns undefined before the first check, or if the database doesn't answer. */
export type ReadInstallation = () => Promise<InstallationNumbers | undefined>

/** Registers gauges for the check results. Every process reads the same ones, so their maximum is taken. */
export function watchInstallation(read: ReadInstallation, registry: Registry): void {
  let reading: ReturnType<ReadInstallation> | undefined
  /** Reads once for all gauges of a scrape, which collect at the same time. */
  const readOnce = (): ReturnType<ReadInstallation> =>
    (reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined)))

  const watch = (
    name: string,
    help: string,
    label: string | null,
    samplesOf: (numbers: InstallationNumbers) => Readonly<Record<string, number>> | number,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const numbers = await readOnce()
        this.reset()
        if (numbers === undefined) {
          if (label === null) this.remove()
          return
        }
        const samples = samplesOf(numbers)
        if (typeof samples === 'number') this.set(samples)
        else if (label !== null)
          for (const [value, sample] of Object.entries(samples)) this.set({ [label]: value }, sample)
      },
    })

  watch('callout_health_checked_timestamp_seconds', 'When the checks ran last, in Unix time.', null, (n) => n.checkedAt)
  watch('callout_health_status', 'What each check found: 0 well, 1 a warning, 2 wrong.', 'check', (n) => n.checks)
  watch('callout_outbox_messages', 'Messages of all companies by state.', 'state', (n) => n.messages)
  watch('callout_outbox_oldest_seconds', 'Age of the message that has waited longest.', null, (n) => n.oldestMessage)
  watch('callout_task_lateness_seconds', 'How late each late periodic task is.', 'task', (n) => n.lateTasks)
  watch('callout_quarantine_messages', 'Messages and events that wait for a person.', null, (n) => n.quarantined)
  watch('callout_backup_age_seconds', 'Age of the last success, by kind.', 'kind', (n) => n.backups)
}
