import type { ProcessState } from '../../health/checks/processes.ts'
import type { LateTask } from '../../health/checks/tasks.ts'
import type { CompanyMeasures } from '../../health/companies.ts'
import type { HealthMeasures } from '../../health/report.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { table } from '../../platform/html/parts/table.ts'
import { formatCount, formatters } from '../../platform/i18n/formatters.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'

/** Renders measures of the installation: its facts, late tasks, processes and busiest companies. */
export const measuresHtml = (measures: HealthMeasures): Html => html`
${facts(factsOf(measures))}
${when(measures.tasks.length > 0, () => tasksTable(measures.tasks))}
${companiesTable(measures.companies)}
${processesTable(measures.processes)}`

function factsOf({ database, disks, messages, quarantine, backups, companies }: HealthMeasures): Fact[] {
  const { backup, drill } = backups
  return [
    {
      label: say`Database`,
      value: bytes(database.bytes),
      says: say`PostgreSQL ${database.version}, since ${moment(database.started_at, 'UTC')}`,
    },
    ...disks.map(({ name, free, size }) => ({
      label: name === 'data' ? say`Data disk` : say`Temporary disk`,
      value: say`${bytes(free)} free`,
      says: say`of ${bytes(size)}`,
    })),
    {
      label: say`Messages waiting`,
      value: formatCount(messages.waiting),
      says:
        messages.oldest_at === null
          ? say`${formatCount(messages.sent)} sent in the last day`
          : say`oldest from ${moment(messages.oldest_at, 'UTC')}`,
    },
    {
      label: say`Messages that failed`,
      value: formatCount(messages.failed),
      says: say`in the last 7 days, and ${formatCount(messages.uncertain)} uncertain`,
    },
    { label: say`In quarantine`, value: html`<a href="/operator">${formatCount(quarantine)}</a>` },
    {
      label: say`Last backup`,
      value: backup?.succeeded_at ? moment(backup.succeeded_at, 'UTC') : say`None`,
      says: backup?.bytes ? bytes(backup.bytes) : undefined,
    },
    { label: say`Last restore drill`, value: drill?.succeeded_at ? moment(drill.succeeded_at, 'UTC') : say`None` },
    { label: say`Companies`, value: formatCount(companies.count) },
  ]
}

const tasksTable = (tasks: readonly LateTask[]): Html =>
  table<LateTask>({
    caption: say`Late periodic tasks`,
    rows: tasks,
    empty: '',
    columns: [
      { label: say`Task`, cell: ({ task }) => html`<code>${task}</code>` },
      { label: say`Late`, cell: ({ minutes }) => sayCount(minutes, '{0} minute', '{0} minutes'), isNumber: true },
      { label: say`Failures in a row`, cell: ({ failures }) => formatCount(failures), isNumber: true },
      {
        label: say`For`,
        cell: ({ of_service: ofService, companies }) =>
          ofService ? say`the service` : sayCount(companies, '{0} company', '{0} companies'),
      },
    ],
  })

const companiesTable = ({ busiest }: HealthMeasures['companies']): Html =>
  table<CompanyMeasures>({
    caption: say`Busiest companies`,
    rows: busiest,
    empty: say`No companies yet.`,
    columns: [
      { label: say`Company`, cell: ({ name }) => name },
      { label: say`Changes per day`, cell: ({ changes }) => formatCount(changes), isNumber: true },
      { label: say`Reads per day`, cell: ({ reads }) => formatCount(reads), isNumber: true },
      { label: say`Members`, cell: ({ members }) => formatCount(members), isNumber: true },
      { label: say`Customers`, cell: ({ customers }) => formatCount(customers), isNumber: true },
      { label: say`Jobs`, cell: ({ jobs }) => formatCount(jobs), isNumber: true },
      { label: say`Messages waiting`, cell: ({ waiting }) => formatCount(waiting), isNumber: true },
    ],
  })

const processesTable = (processes: readonly ProcessState[]): Html =>
  table<ProcessState>({
    caption: say`Processes`,
    rows: processes,
    empty: say`No process has reported yet.`,
    columns: [
      { label: say`Process`, cell: ({ pid }) => String(pid) },
      { label: say`Version`, cell: ({ version }) => version },
      { label: say`Started`, cell: ({ started_at: startedAt }) => moment(startedAt, 'UTC') },
      { label: say`Memory`, cell: ({ rss }) => bytes(rss), isNumber: true },
      {
        label: say`Connections`,
        cell: ({ connections }) => say`${connections.used} of ${connections.max}`,
        isNumber: true,
      },
    ],
  })

const decimals = formatters((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))

/** Units of bytes, largest first; the same in both languages. */
const UNITS = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
] as const

function bytes(value: number): string {
  const [size, unit] = UNITS.find(([size]) => value >= size) ?? [2 ** 10, 'KiB']
  return `${decimals('').format(value / size)} ${unit}`
}
