import { readdirSync, readFileSync } from 'node:fs'

/** Returns the milliseconds of processor time that a process and the sessions of its database have used; on Linux alone. */
export function processorTime(pid: number, database: string): number {
  const ofProcess = readdirSync(`/proc/${pid}/task`).map((task) => timeIn(`/proc/${pid}/task/${task}`))
  return [...ofProcess, ...sessionsOf(database).map((session) => timeIn(`/proc/${session}`))].reduce((a, b) => a + b, 0)
}

const sessionsOf = (database: string): string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    const title = read(`/proc/${name}/cmdline`)
    return title.startsWith('postgres:') && title.includes(` ${database} `)
  })

const timeIn = (folder: string): number => Number(read(`${folder}/schedstat`).split(' ')[0]) / 1e6

/** Reads a file of a process; empty when it has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
